/** A file of the user that cannot be used. The message is a sentence with the file and, if known, the line. Exit code 2 (cli.md). */
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
