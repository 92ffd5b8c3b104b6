import type { Failure } from '../host.ts';

/**
 * Thrown within the host for a reason that the reader can act on; at the host's edge it becomes a `Failure` (failures.ts). It never leaves the
 * process: Next bundles classes again, so `instanceof` would fail across that edge.
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
