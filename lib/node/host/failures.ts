/** What fails and is tried again, by what it is about: said once for as long as it fails in the same words, and again when it no longer does. */
export class Failures {
  readonly #log: (line: string) => void;
  readonly #said = new Map<string, string>();

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  failed(what: string, line: string): void {
    if (this.#said.get(what) === line) return;
    this.#said.set(what, line);
    this.#log(line);
  }

  /** @param line what is said where it had failed */
  fine(what: string, line: string): void {
    if (this.#said.delete(what)) this.#log(line);
  }

  /** Of all else nobody tries anything any more. */
  retain(what: ReadonlySet<string>): void {
    for (const one of [...this.#said.keys()]) if (!what.has(one)) this.#said.delete(one);
  }
}
