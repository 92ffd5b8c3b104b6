import { inspect } from 'node:util';
import { messageOf } from '#lib/base/message-of.ts';

const hidden = '[secret]';

/**
 * A value that must never be printed. Only `reveal()` returns it, for the code that sends it; printing, JSON, template strings and `util.inspect` show
 * `[secret]`.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

/** Shorter values occur everywhere by chance; replacing them would garble sentences. */
const shortestSecret = 4;
/** Arguments and variables of plug-ins are mostly ordinary words (`true`, `eu-west-1`). */
const shortestArgument = 8;

/**
 * Replaces every secret of one cluster in texts of others: a server's message, a plug-in's standard error, the cause of an error. A second line of defence;
 * our own sentences contain none.
 */
export class Redactor {
  readonly #known = new Set<string>();

  learn(...secrets: (Secret | string | null | undefined)[]): void {
    for (const secret of secrets) {
      const value = secret instanceof Secret ? secret.reveal() : (secret ?? '');
      for (const form of formsOf(value)) if (form.length >= shortestSecret) this.#known.add(form);
    }
  }

  /** Adds values that may be secrets or ordinary words: arguments (also in `--client-secret=…`) and variables of a plug-in. */
  learnArguments(...values: Secret[]): void {
    for (const value of values) {
      const plain = value.reveal();
      const assigned = plain.slice(plain.indexOf('=') + 1);
      const candidates = plain.startsWith('-') ? (plain.includes('=') ? [assigned] : []) : [plain];
      this.learn(...candidates.filter((candidate) => candidate.length >= shortestArgument));
    }
  }

  redact(text: string): string {
    let result = text;
    for (const value of [...this.#known].sort((a, b) => b.length - a.length)) result = result.replaceAll(value, hidden);
    return result;
  }

  /** The part of an error that may be logged: class, code and redacted message, without the object, which may carry headers. */
  cause(error: unknown): Error | undefined {
    if (error === undefined) return undefined;
    const plain = new Error(this.redact(messageOf(error)));
    plain.name = error instanceof Error ? error.name : 'Error';
    if (error instanceof Error && error.stack) plain.stack = this.redact(error.stack);
    const code = codeOf(error);
    return code === null ? plain : Object.assign(plain, { code });
  }
}

/** The `code` of an error of Node, such as `ECONNREFUSED`; null for values without one. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Forms in which others may print the secret: line by line (PEM), Base64, percent-encoded. */
function formsOf(value: string): string[] {
  const lines = value.includes('\n')
    ? value.split('\n').filter((line) => line.length >= 16 && !line.startsWith('-----'))
    : [];
  return [value.trim(), Buffer.from(value).toString('base64'), encodeURIComponent(value), ...lines];
}
