import { readFileSync } from 'node:fs';

/** Files that several scripts include. Their addresses are literal: a bundler takes them along. */
const included = { 'dns-message.sh': readFileSync(new URL('./dns-message.sh', import.meta.url), 'utf8') } as const;

/** A script as nodes get it, in one text: each of its lines `# include FILE` stands for that file. Throws where there is no such file. */
export function scriptText(text: string): string {
  return text.replaceAll(/^# include (.+)$/gm, (_line, file: keyof typeof included) => {
    if (!(file in included)) throw new Error(`No script includes ${file}.`);
    return included[file].trimEnd();
  });
}
