import { type Backend, frontKey, type ListKind, type Protocol } from '../entries.ts';
import { anyAddress, familyOf, type MapAddress } from '../map-address.ts';
import { type FrontAddress, type FrontValue, rangeKey, type Write } from '../present.ts';

/** The origin of a packet or a connect(): a process or pod of this node, the network, or another node's tunnel. */
export type From = 'inside' | 'outside' | 'tunnel';

export type Answer =
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'backends'; readonly slots: readonly (Backend | undefined)[] };

/**
 * The maps as the kernel has them, with the lookup of bpf/service.h in TypeScript. The kernel may choose any slot below the count, so an answer lists
 * all of them. Knows nothing of the agent's own state.
 */
export class KernelMaps {
  readonly #fronts = new Map<string, { front: FrontAddress; value: FrontValue }>();
  readonly #backends = new Map<string, Extract<Write, { map: 'backends' }>>();
  readonly #ranges = new Map<string, Extract<Write, { map: 'source_ranges' }>>();

  apply(write: Write): void {
    if (write.map === 'services') {
      if (write.value === null) this.#fronts.delete(frontKey(write.front));
      else this.#fronts.set(frontKey(write.front), { front: write.front, value: write.value });
    } else if (write.map === 'backends') {
      const key = slotKey(write.id, write.list, write.slot);
      if (write.value === null) this.#backends.delete(key);
      else this.#backends.set(key, write);
    } else if (write.map === 'source_ranges') {
      const key = `${write.id}/${rangeKey(write.range)}`;
      if (write.value === null) this.#ranges.delete(key);
      else this.#ranges.set(key, write);
    }
  }

  /** The whole content of the maps, in an arbitrary order. */
  contents(): Write[] {
    return [
      ...[...this.#fronts.values()].map((one): Write => ({ map: 'services', ...one })),
      ...this.#backends.values(),
      ...this.#ranges.values(),
    ].reverse();
  }

  get fronts(): FrontAddress[] {
    return [...this.#fronts.values()].map(({ front }) => front);
  }

  /** `takesNodePorts`: whether the destination is an address of this node that takes node ports. */
  lookup(
    front: { address: MapAddress; port: number; protocol: Protocol },
    from: From,
    takesNodePorts: 'node-ports' | 'none' = 'none',
  ): Answer {
    const wildcard = anyAddress[familyOf(front.address)];
    const found =
      this.#fronts.get(frontKey(front)) ??
      (takesNodePorts === 'node-ports' ? this.#fronts.get(frontKey({ ...front, address: wildcard })) : undefined);
    if (!found) return { kind: 'not-ours' };
    const { id, flags, counts } = found.value;
    const isLocal =
      from === 'tunnel' ||
      (from === 'inside' && flags.includes('inside-local')) ||
      (from === 'outside' && flags.includes('outside-local'));
    const list: ListKind = isLocal ? 'local' : 'cluster';
    if (counts[list] === 0) return { kind: 'refused' };
    const slots = Array.from({ length: counts[list] }, (_, slot) => this.#slot(id, list, slot));
    return { kind: 'backends', slots };
  }

  #slot(id: number, list: ListKind, slot: number): Backend | undefined {
    return this.#backends.get(slotKey(id, list, slot))?.value ?? undefined;
  }
}

const slotKey = (id: number, list: ListKind, slot: number) => `${id}/${list}/${slot}`;
