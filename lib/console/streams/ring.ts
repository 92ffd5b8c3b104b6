/** The last events of a stream, encoded, so that a client that was away for a moment continues where it was. Limited in number and size. */
export class EventRing {
  private readonly limits: { events: number; characters: number };
  private entries: { id: number; text: string }[] = [];
  private start = 0;
  private characters = 0;
  /** Id of the newest event that was dropped; a client that has at least this one misses nothing. */
  private floor: number;

  constructor(floor: number, limits: { events: number; characters: number }) {
    this.floor = floor;
    this.limits = limits;
  }

  /** Ids only grow. */
  push(id: number, text: string): void {
    this.entries.push({ id, text });
    this.characters += text.length;
    while (
      this.entries.length - this.start > this.limits.events ||
      (this.characters > this.limits.characters && this.entries.length > this.start)
    ) {
      const dropped = this.entries[this.start++];
      this.floor = dropped?.id ?? this.floor;
      this.characters -= dropped?.text.length ?? 0;
    }
    if (this.start > 1_000 && this.start > this.entries.length / 2) {
      this.entries = this.entries.slice(this.start);
      this.start = 0;
    }
  }

  /** The events after `id`, up to about `characters`; null if they were dropped or `id` is from another stream. */
  after(id: number, characters = Number.POSITIVE_INFINITY): { id: number; text: string }[] | null {
    const last = this.entries.at(-1)?.id ?? this.floor;
    if (id < this.floor || id > last) return null;
    const found: { id: number; text: string }[] = [];
    let size = 0;
    for (let index = this.firstAfter(id); index < this.entries.length && size < characters; index++) {
      const entry = this.entries[index];
      if (!entry) break;
      found.push(entry);
      size += entry.text.length;
    }
    return found;
  }

  private firstAfter(id: number): number {
    let low = this.start;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.id ?? 0) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
