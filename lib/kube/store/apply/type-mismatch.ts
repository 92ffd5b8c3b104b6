/** A value that its schema does not allow, found while merging or comparing. The message is structured-merge-diff's. */
export class TypeMismatch extends Error {
  readonly path: string;

  constructor(message: string, path = '') {
    super(message);
    this.name = 'TypeMismatch';
    this.path = path;
  }

  below(prefix: string): TypeMismatch {
    return new TypeMismatch(this.message, `${prefix}${this.path}`);
  }

  get sentence(): string {
    return this.path === '' ? this.message : `${this.path}: ${this.message}`;
  }
}
