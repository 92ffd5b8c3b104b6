/** Three quarters full before it forgets, so that a million flows an hour are all known: a look takes three steps then. */
const slots = 1 << 21;
const most = (slots / 4) * 3;
const mask = BigInt(slots - 1);

/** Keys of 64 bits that were seen, in 16 MB whatever they are: a Set of bigints takes two hundred for as many. */
export class KnownKeys {
  private readonly keys = new BigUint64Array(slots);
  private count = 0;

  /** Forgets all where it is full enough. Between works alone, as what one work has seen twice is then new twice; one adds far fewer than the rest. */
  makeRoom(): void {
    if (this.count >= most) this.clear();
  }

  /** Whether it is new, and from now on known. Zero always is new: it marks what is free. */
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
