/** Prints a line on standard output directly, because vitest captures the console's output. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
