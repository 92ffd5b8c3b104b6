import { readFileSync } from 'node:fs';

/** Files that scripts include. Here and below addresses are literal: a bundler takes such files along. */
const included = { 'dns-message.sh': readFileSync(new URL('./dns-message.sh', import.meta.url), 'utf8') } as const;

/** What the host of every node runs, as it stands in its pod's own spec: a ConfigMap could be rewritten by somebody who may not make privileged pods. */
export const probeScript = whole(readFileSync(new URL('./probe.sh', import.meta.url), 'utf8'));

/** The same without what only the host is asked, for pods on the network of pods. */
export const podScript = without('host', probeScript);

/** What each node runs while services are asked, as it stands in its pod's own spec. */
export const watchScript = whole(readFileSync(new URL('./watch-services.sh', import.meta.url), 'utf8'));

/**
 * The same program without comments and indentation: every pod's spec has it whole, and of thousands of nodes etcd keeps each. Only for scripts without
 * strings of several lines.
 */
export function withoutComments(script: string): string {
  const lines = script.split('\n').map((line) => line.trimStart());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).join('\n');
}

/** What stands between its lines `# begin PART` and `# end PART` is left out. */
export function without(part: 'host' | 'dsr', script: string): string {
  return script.replaceAll(new RegExp(`^# begin ${part}$[\\s\\S]*?^# end ${part}\\n`, 'gm'), '');
}

/** As nodes get it, in one text: each line `# include FILE` stands for that file. Throws where there is no such file. */
function whole(text: string): string {
  return text.replaceAll(/^# include (.+)$/gm, (_line, file: keyof typeof included) => {
    if (!(file in included)) throw new Error(`No script includes ${file}.`);
    return included[file].trimEnd();
  });
}
