import { createHash, randomBytes } from 'node:crypto';

/** A link can be used once, within a quarter of an hour (architecture.md › Who may ask). */
const linkMs = 15 * 60 * 1000;
/** Number of links that are remembered to distinguish *used* and *expired* from *wrong*. */
const mostLinks = 64;
const wrongKeysAMinute = 10;

export type KeyUse = 'fine' | 'wrong' | 'used' | 'expired' | 'too-many';

/**
 * One-time keys of sign-in links: 256 bits, of which only the SHA-256 is kept, in memory, so that links end with the process. Wrong keys are counted so that
 * they cannot fill the log. A right key is always accepted, so that guessing cannot lock the owner out.
 */
export class SignInLinks {
  readonly #states = new Map<string, { until: number; state: 'fresh' | 'used' }>();
  #wrong: number[] = [];

  newKey(nowMs: number): string {
    const key = randomBytes(32).toString('base64url');
    this.#states.set(hashOf(key), { until: nowMs + linkMs, state: 'fresh' });
    const [oldest] = this.#states.keys();
    if (this.#states.size > mostLinks && oldest !== undefined) this.#states.delete(oldest);
    return key;
  }

  /** Invalidates all unused links. */
  endAll(): void {
    for (const link of this.#states.values()) link.until = 0;
  }

  /** Looks the key up by its hash, so that the time taken reveals nothing about it. */
  use(key: string, nowMs: number): KeyUse {
    const link = this.#states.get(hashOf(key));
    if (link?.state === 'used') return 'used';
    if (link && nowMs >= link.until) return 'expired';
    if (link) {
      link.state = 'used';
      return 'fine';
    }
    this.#wrong = this.#wrong.filter((at) => nowMs - at < 60_000);
    if (this.#wrong.length >= wrongKeysAMinute) return 'too-many';
    this.#wrong.push(nowMs);
    return 'wrong';
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
