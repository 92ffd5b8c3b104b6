import { counted } from '#lib/base/words.ts';
import { type FlagsByProgram, visible, withClusterFlags } from '#lib/text/index.ts';

/** A longer line holds a whole object as JSON. */
const longestChars = 300;

/** Up to so many long lines are shown. */
const mostLong = 2;

/** The lines of a command as they are shown, with the flags `on` of the cluster. Long lines of JSON become one comment with their number, and where to find them (`whereToFind`). */
export function commandLines(command: string, on: FlagsByProgram, whereToFind: string): string[] {
  return visible(withClusterFlags(shortened(command, whereToFind), on)).split('\n');
}

function shortened(command: string, whereToFind: string): string {
  const lines = command.split('\n');
  const long = lines.filter(({ length }) => length > longestChars);
  // Shorter lines of the same form are also objects of a file.
  const piped = lines.filter((line) => /^printf '%s\\n' .*\| kubectl /.test(line));
  if (long.length <= mostLong && piped.length <= mostLong) return command;
  const replaced = new Set([...long, ...piped]);
  const first = lines.findIndex((line) => replaced.has(line));
  const note = `# ${counted(replaced.size, 'command')} that ${replaced.size === 1 ? 'writes' : 'write'} one object each; ${whereToFind}`;
  return lines.flatMap((line, index) => (replaced.has(line) ? (index === first ? [note] : []) : [line])).join('\n');
}
