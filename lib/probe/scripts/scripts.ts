import { readFileSync } from 'node:fs';

/** Files that scripts include. The addresses here and below are literals, so that a bundler finds the files. */
const included = {
  'dials.sh': readFileSync(new URL('./dials.sh', import.meta.url), 'utf8'),
  'dns-message.sh': readFileSync(new URL('./dns-message.sh', import.meta.url), 'utf8'),
  'foreign-sources.sh': readFileSync(new URL('./foreign-sources.sh', import.meta.url), 'utf8'),
  'node-state.sh': readFileSync(new URL('./node-state.sh', import.meta.url), 'utf8'),
  'service-proxy.sh': readFileSync(new URL('./service-proxy.sh', import.meta.url), 'utf8'),
  'vxlan.sh': readFileSync(new URL('./vxlan.sh', import.meta.url), 'utf8'),
} as const;

/**
 * The script of the host pods. It is in the pod's own spec, because a ConfigMap could be rewritten by somebody who may not create privileged pods.
 */
export const probeScript = withIncludes(readFileSync(new URL('./probe.sh', import.meta.url), 'utf8'));

/** The script of pods on the pod network: the probe without the host's part. */
export const podScript = withoutPart('host', probeScript);

/** The script that tests Services on each node, also in the pod's own spec. */
export const watchScript = withIncludes(readFileSync(new URL('./watch-services.sh', import.meta.url), 'utf8'));

/** A script without comments and indentation: every pod's spec contains it, and etcd keeps each. Only for scripts without multi-line strings. */
export function withoutComments(script: string): string {
  const lines = script.split('\n').map((line) => line.trimStart());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).join('\n');
}

/** Removes the part between the lines `# begin PART` and `# end PART`. */
export function withoutPart(part: 'host' | 'dsr', script: string): string {
  return script.replaceAll(new RegExp(`^# begin ${part}$[\\s\\S]*?^# end ${part}\\n`, 'gm'), '');
}

/** The complete script: each line `# include FILE` is replaced by that file. Throws if there is no such file. */
function withIncludes(text: string): string {
  return text.replaceAll(/^# include (.+)$/gm, (_line, file: keyof typeof included) => {
    if (!(file in included)) throw new Error(`No script includes ${file}.`);
    return included[file].trimEnd();
  });
}
