import { plainLine } from './plain.ts';

const harmless = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** One word for a POSIX shell, whatever it holds: commands are copied and run, and names come from the cluster. */
export function shellWord(value: string): string {
  const text = plainLine(value, 4_000);
  return harmless.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
