/** Logs failures of things that are tried again and again: once as long as the message stays the same, and once more when they succeed. */
export class Failures {
  readonly #log: (line: string) => void;
  readonly #reported = new Map<string, string>();

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  failed(what: string, line: string): void {
    if (this.#reported.get(what) === line) return;
    this.#reported.set(what, line);
    this.#log(line);
  }

  /** @param line logged if it had failed before */
  fine(what: string, line: string): void {
    if (this.#reported.delete(what)) this.#log(line);
  }

  /** Forgets the failures of everything else, because it is no longer tried. */
  retain(what: ReadonlySet<string>): void {
    for (const one of [...this.#reported.keys()]) if (!what.has(one)) this.#reported.delete(one);
  }
}
