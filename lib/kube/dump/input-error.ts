/** Something that the user handed over cannot be used. The sentence names the file, and the line where there is one. Exit 2 (cli.md). */
export class InputError extends Error {
  override name = 'InputError';
  readonly file: string;
  readonly line: number | null;

  constructor(file: string, line: number | null, message: string, cause?: unknown) {
    super(`${file}${line === null ? '' : `, line ${line}`}: ${message}`, cause === undefined ? undefined : { cause });
    this.file = file;
    this.line = line;
  }
}
