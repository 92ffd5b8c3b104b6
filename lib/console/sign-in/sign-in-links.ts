import { createHash, randomBytes } from 'node:crypto';

/** A link is good once, for a quarter of an hour (architecture.md › Who may ask). */
const linkMs = 15 * 60 * 1000;
/** Links that are remembered, so that *used* and *expired* can be told from *wrong*. */
const mostLinks = 64;
const wrongKeysAMinute = 10;

export type KeyUse = 'fine' | 'wrong' | 'used' | 'expired' | 'too-many';

/**
 * One-time keys of sign-in links: 256 bits, of which only the SHA-256 is kept, in memory: what is printed ends with its process.
 * Wrong keys are counted so that they cannot fill the log; the right one is never turned away, so that nobody can lock the owner out by guessing.
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

  /** What was printed and not used yet opens nothing any more. */
  endAll(): void {
    for (const link of this.#states.values()) link.until = 0;
  }

  /** Looked up by its hash: how long that takes tells nothing about the key. */
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
