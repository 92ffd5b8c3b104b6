/** The table is at most three quarters full, so that a million flows an hour are all known. A lookup then takes three steps on average. */
const slots = 1 << 21;
const most = (slots / 4) * 3;
const mask = BigInt(slots - 1);

/** A set of 64-bit keys that were seen, always 16 MB. A Set of bigints takes two hundred for as many. */
export class KnownKeys {
  private readonly keys = new BigUint64Array(slots);
  private count = 0;

  /**
   * Forgets all keys if the table is full enough. Call it only between batches: within one, a key that occurs twice would count as new twice. A batch
   * adds far fewer keys than the quarter that is left.
   */
  makeRoom(): void {
    if (this.count >= most) this.clear();
  }

  /** Adds a key. Returns whether it is new; 0 always is, because it marks free slots. */
  add(key: bigint): boolean {
    if (key === 0n) return true;
    let at = Number(key & mask);
    for (let found = this.keys[at]; found !== 0n; found = this.keys[at]) {
      if (found === key) return false;
      at = (at + 1) % slots;
    }
    this.keys[at] = key;
    this.count++;
    return true;
  }

  clear(): void {
    this.keys.fill(0n);
    this.count = 0;
  }
}
