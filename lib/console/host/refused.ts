import type { Failure } from '../host.ts';

/**
 * What the host throws within itself for a reason that the reader can act on; at its edge it becomes a `Failure` (failures.ts). Never leaves the
 * process: Next bundles classes anew, so that `instanceof` would not work across.
 */
export class Refused extends Error {
  override name = 'Refused';
  readonly code: string;
  readonly fields: Record<string, string> | null;

  constructor(code: string, message: string, fields: Record<string, string> | null = null) {
    super(message);
    this.code = code;
    this.fields = fields;
  }

  asFailure(): Failure {
    return { ok: false, code: this.code, message: this.message, ...(this.fields ? { fields: this.fields } : {}) };
  }
}
