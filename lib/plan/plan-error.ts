/** Why there is no plan: a code, a sentence that names the field, and where it stands (style.md › An error is a sentence). */
export class PlanError extends Error {
  override name = 'PlanError';
  readonly code: string;
  readonly path: readonly (string | number)[];

  constructor(code: string, message: string, path: readonly (string | number)[] = []) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
