import { counted } from '#lib/base/words.ts';
import { type FlagsByProgram, ledToCluster, visible } from '#lib/text/index.ts';

/** Longer than what anybody reads or types: a whole object as JSON. */
const longestChars = 300;

/** Of so many, nobody reads each. */
const mostLong = 2;

/** The lines of a command as they are shown, led to the cluster by `on`. Objects that a file holds are pages of JSON: of them it says how many there are, and who has them (`whole`). */
export function commandLines(command: string, on: FlagsByProgram, whole: string): string[] {
  return visible(ledToCluster(shortened(command, whole), on)).split('\n');
}

function shortened(command: string, whole: string): string {
  const lines = command.split('\n');
  const long = lines.filter(({ length }) => length > longestChars);
  // The shorter ones among them are of the same kind: a file's objects, one line each.
  const piped = lines.filter((line) => /^printf '%s\\n' .*\| kubectl /.test(line));
  if (long.length <= mostLong && piped.length <= mostLong) return command;
  const told = new Set([...long, ...piped]);
  const first = lines.findIndex((line) => told.has(line));
  const note = `# ${counted(told.size, 'command')} that ${told.size === 1 ? 'writes' : 'write'} one object each; ${whole}`;
  return lines.flatMap((line, index) => (told.has(line) ? (index === first ? [note] : []) : [line])).join('\n');
}
