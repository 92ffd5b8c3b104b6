import { frontKey, type PortEntries } from './entries.ts';
import type { Present } from './present.ts';

const lastId = 2 ** 32 - 1;

/**
 * Numbers of Services' ports in the maps. After a restart each port goes on under the number that its fronts lead to, so that affinity and connections keep
 * their meaning. None is used twice while the process lives: conntrack and affinity remember it.
 */
export class ServiceIds {
  readonly #byPort = new Map<string, number>();
  readonly #current = new Set<number>();
  readonly #used = new Set<number>();
  readonly #present: Present;
  /** What was found: the places that lead to a number. */
  readonly #found = new Map<number, string[]>();
  #next: number;

  constructor(present: Present) {
    this.#present = present;
    for (const [place, { value }] of present.fronts)
      this.#found.set(value.id, [...(this.#found.get(value.id) ?? []), place]);
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

  /** The port is gone; its number, if it had one. */
  release(portKey: string): number | undefined {
    const id = this.#byPort.get(portKey);
    this.#byPort.delete(portKey);
    if (id !== undefined) this.#current.delete(id);
    return id;
  }

  /** Whether a port has the number now. */
  isCurrent(id: number): boolean {
    return this.#current.has(id);
  }

  /** Only a number to which no place leads but its own: another Service may have had one of them, and its backends would be written over. */
  #adopted({ fronts }: Pick<PortEntries, 'fronts'>): number | undefined {
    if (this.#found.size === 0) return undefined;
    const own = new Set(fronts.map(frontKey));
    for (const place of own) {
      const id = this.#present.fronts.get(place)?.value.id ?? 0;
      if (id > 0 && !this.#used.has(id) && this.#found.get(id)?.every((one) => own.has(one))) return id;
    }
    return undefined;
  }

  #fresh(): number {
    // After 4 billion of them it begins anew; by then the first ones are long gone.
    while (this.#used.has(this.#next) || this.#next > lastId) this.#next = this.#next >= lastId ? 1 : this.#next + 1;
    return this.#next++;
  }
}
