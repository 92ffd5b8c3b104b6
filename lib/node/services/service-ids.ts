import { frontKey, type PortEntries } from './entries.ts';
import type { Present } from './present.ts';

const lastId = 2 ** 32 - 1;

/**
 * Assigns numbers to Services' ports in the maps. After a restart a port keeps the number to which its fronts lead, so that affinity and connections
 * stay valid. No number is used twice while the process runs, because flows and affinities remember it.
 */
export class ServiceIds {
  readonly #byPort = new Map<string, number>();
  readonly #current = new Set<number>();
  readonly #used = new Set<number>();
  readonly #present: Present;
  /** The keys of fronts that led to each number when the process began. */
  readonly #found = new Map<number, string[]>();
  #next: number;

  constructor(present: Present) {
    this.#present = present;
    for (const [front, { value }] of present.fronts)
      this.#found.set(value.id, [...(this.#found.get(value.id) ?? []), front]);
    this.#next = present.lastId + 1;
  }

  of(port: Pick<PortEntries, 'key' | 'fronts'>): number {
    const known = this.#byPort.get(port.key);
    if (known !== undefined) return known;
    const id = this.#adopted(port) ?? this.#fresh();
    this.#byPort.set(port.key, id);
    this.#current.add(id);
    this.#used.add(id);
    return id;
  }

  /** Releases the number of a deleted port. Returns it, if the port had one. */
  release(portKey: string): number | undefined {
    const id = this.#byPort.get(portKey);
    this.#byPort.delete(portKey);
    if (id !== undefined) this.#current.delete(id);
    return id;
  }

  /** Whether a port has this number now. */
  isCurrent(id: number): boolean {
    return this.#current.has(id);
  }

  /**
   * Reuses a number only if all fronts that lead to it belong to this port. Otherwise its backends might be those of another Service and would be
   * overwritten.
   */
  #adopted({ fronts }: Pick<PortEntries, 'fronts'>): number | undefined {
    if (this.#found.size === 0) return undefined;
    const own = new Set(fronts.map(frontKey));
    for (const front of own) {
      const id = this.#present.fronts.get(front)?.value.id ?? 0;
      if (id > 0 && !this.#used.has(id) && this.#found.get(id)?.every((one) => own.has(one))) return id;
    }
    return undefined;
  }

  #fresh(): number {
    // After 4 billion numbers it starts again at 1; nothing refers to the first ones by then.
    while (this.#used.has(this.#next) || this.#next > lastId) this.#next = this.#next >= lastId ? 1 : this.#next + 1;
    return this.#next++;
  }
}
