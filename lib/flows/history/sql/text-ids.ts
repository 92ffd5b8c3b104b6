import { hash } from 'node:crypto';

/** The most characters of texts that are remembered. A cluster has thousands of ends and policies, and millions of flows with them. */
const mostCharacters = 4_000_000;

/** The id of a text: 64 bits of its hash. Texts that recur are hashed once. */
export class TextIds {
  private readonly ids = new Map<string, bigint>();
  private characters = 0;
  private readonly most: number;

  constructor(most = mostCharacters) {
    this.most = most;
  }

  of(text: string): bigint {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = hash('sha1', text, 'buffer').readBigUInt64LE(0);
    this.characters += text.length;
    if (this.characters > this.most) {
      this.ids.clear();
      this.characters = text.length;
    }
    this.ids.set(text, id);
    return id;
  }
}
