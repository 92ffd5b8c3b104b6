import {
  type Backend,
  type ClientRange,
  type Front,
  type FrontFlag,
  frontKey,
  type ListKind,
  type Lists,
  listKinds,
} from './entries.ts';
import { type MapAddress, noAddress } from './map-address.ts';

/** The value of a front in the maps (`struct service`): the number of its lists, and their lengths. */
export type FrontValue = {
  readonly id: number;
  readonly counts: Readonly<Record<ListKind, number>>;
  readonly flags: readonly FrontFlag[];
  readonly affinityS: number;
};

/** `this`: it is not known to be on another node than this one. */
export type BackendAt = Pick<Backend, 'address' | 'port'> & { readonly node?: MapAddress | 'this' };

export type FrontAddress = Pick<Front, 'address' | 'port' | 'protocol'>;

/** One write to a map. `value` null deletes the element. */
export type Write =
  | { readonly map: 'services'; readonly front: FrontAddress; readonly value: FrontValue | null }
  | {
      readonly map: 'backends';
      readonly id: number;
      readonly list: ListKind;
      readonly slot: number;
      readonly value: Backend | null;
    }
  | { readonly map: 'source_ranges'; readonly id: number; readonly range: ClientRange; readonly value: 1 | null };

type Slots = Record<ListKind, (Backend | undefined)[]>;

/**
 * The content of the maps as this process knows it: read once at its start, then updated with each write that the kernel took. A failed write changes
 * nothing here, so the next plan contains it again.
 */
export class Present {
  readonly fronts = new Map<string, { front: FrontAddress; value: FrontValue }>();
  readonly #slots = new Map<number, Slots>();
  /** The backends of a Service's number by address. `hasBackend` fills it; the next write to one of the number's lists empties it. */
  readonly #byAddress = new Map<number, ReadonlyMap<MapAddress, readonly Backend[]>>();
  readonly #ranges = new Map<number, Map<string, ClientRange>>();
  #backends = 0;
  #lastId = 0;

  /** Returns the backend that the slot of the write had before, if any. */
  apply(write: Write): Backend | undefined {
    if (write.map === 'backends') return this.#setSlot(write);
    if (write.map === 'services') {
      const key = frontKey(write.front);
      if (write.value === null) this.fronts.delete(key);
      else this.fronts.set(key, { front: write.front, value: write.value });
    } else this.#setRange(write);
    return undefined;
  }

  /** Marks a number as used because affinities in the maps still refer to it. */
  reserve(id: number): void {
    this.#lastId = Math.max(this.#lastId, id);
  }

  slots(id: number): Lists | null {
    return (this.#slots.get(id) as Lists | undefined) ?? null;
  }

  /**
   * Whether one of the lists under this number contains the backend; if `node` is given, only on that node. A sweep asks this for every flow: to search
   * the lists each time would take flows times backends.
   */
  hasBackend(id: number, { address, port, node }: BackendAt): boolean {
    const isOn = (one: Backend) =>
      node === undefined || (node === 'this' ? one.isLocal || one.node === noAddress : one.node === node);
    const found = this.#backendsByAddress(id)?.get(address);
    return found?.some((one) => one.port === port && isOn(one)) ?? false;
  }

  #backendsByAddress(id: number): ReadonlyMap<MapAddress, readonly Backend[]> | null {
    const known = this.#byAddress.get(id);
    if (known) return known;
    const slots = this.slots(id);
    if (slots === null) return null;
    const all = listKinds.flatMap((list) => slots[list].filter((one) => one !== undefined));
    const byAddress = Map.groupBy(all, (one) => one.address);
    this.#byAddress.set(id, byAddress);
    return byAddress;
  }

  ranges(id: number): readonly ClientRange[] {
    return [...(this.#ranges.get(id)?.values() ?? [])];
  }

  /** All numbers that occur in the maps. */
  ids(): Set<number> {
    const ids = new Set([...this.#slots.keys(), ...this.#ranges.keys()]);
    for (const { value } of this.fronts.values()) ids.add(value.id);
    return ids;
  }

  /** The highest number that occurs in the maps or was reserved. */
  get lastId(): number {
    let last = this.#lastId;
    for (const id of this.ids()) last = Math.max(last, id);
    return last;
  }

  get backendCount(): number {
    return this.#backends;
  }

  #setSlot({ id, list, slot, value }: Extract<Write, { map: 'backends' }>): Backend | undefined {
    let slots = this.#slots.get(id);
    this.#byAddress.delete(id);
    if (!slots) {
      if (value === null) return undefined;
      slots = { cluster: [], local: [] };
      this.#slots.set(id, slots);
    }
    const had = slots[list][slot];
    if (value !== null) slots[list][slot] = value;
    else if (slot === slots[list].length - 1) slots[list].pop();
    else delete slots[list][slot];
    this.#backends += Number(value !== null) - Number(had !== undefined);
    if (slots.cluster.length === 0 && slots.local.length === 0) this.#slots.delete(id);
    return had;
  }

  #setRange({ id, range, value }: Extract<Write, { map: 'source_ranges' }>): void {
    const ranges = this.#ranges.get(id) ?? new Map<string, ClientRange>();
    if (value === null) ranges.delete(rangeKey(range));
    else ranges.set(rangeKey(range), range);
    if (ranges.size === 0) this.#ranges.delete(id);
    else this.#ranges.set(id, ranges);
  }
}

/** Identifies a client range. */
export const rangeKey = ({ address, bits }: ClientRange) => `${address}/${bits}`;
