/** A line of the suite's output, whatever vitest makes of the console's. */
export function told(line: string): void {
  process.stdout.write(`${line}\n`);
}
