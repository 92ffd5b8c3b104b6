import { same } from '#lib/base/records.ts';
import { type Claim, Claims } from './claims.ts';
import type { ReadSlice, TrimmedSlice } from './endpoints.ts';
import type { PortEntries, ServiceEntries } from './entries.ts';
import { type NodeAddresses, type NodeView, nodeView } from './node-view.ts';
import { planWrites, type WantedLists } from './plan-writes.ts';
import type { FrontAddress, FrontValue, Present, Write } from './present.ts';
import { countBackends, countFronts, countRanges, isAnswered, type Room, roomOfMaps, tooLarge } from './room.ts';
import { frontText, labelsOfOthers, type ReadService, serviceEntries } from './service-entries.ts';
import { ServiceIds } from './service-ids.ts';
import { backendsIn, type StayWith } from './stay-with.ts';
import { trimmedService, trimmedSlice } from './trimmed.ts';

type Known = { readonly service: ReadService; entries: ServiceEntries };

type Gathered = {
  readonly isComplete: boolean;
  readonly fronts: Map<string, FrontAddress>;
  readonly lists: Map<number, WantedLists | null>;
  /** By the number of a port: the backends with which clients may stay. Clients elsewhere are released. */
  readonly stayWith: Map<number, ReadonlySet<string>>;
};

type Turn = {
  readonly key: string;
  readonly entries: ServiceEntries;
  /** The creation time in RFC 3339. */
  readonly since: string;
  /** Sort key: the Service with the smallest text is given room first. */
  readonly rank: string;
};

const noBackends: ReadonlySet<string> = new Set();
const nothing: ServiceEntries = { ports: [], problems: [], healthCheck: null };

export type HealthCheck = {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly localReady: number;
};

/**
 * The Services of the API, and those that have changed since the last plan: a change of an endpoint costs only the work for its Service, however many
 * there are. The first plan covers everything and also deletes what no Service wants. So plan only after everything was listed once; otherwise
 * entries of Services that are not known yet are deleted.
 */
export class ServiceTable {
  readonly #nodeName: string;
  readonly #present: Present;
  readonly #ids: ServiceIds;
  readonly #claims = new Claims();
  readonly #services = new Map<string, Known>();
  readonly #slices = new Map<string, Map<string, TrimmedSlice>>();
  readonly #serviceOfSlice = new Map<string, string>();
  readonly #nodes = new Map<string, NodeAddresses>();
  readonly #dirty = new Set<string>();
  /** Services for which the maps had no room; every plan tries them again. */
  readonly #withoutRoom = new Set<string>();
  /** Numbers of ports that were deleted since the last plan, and whether they had session affinity. */
  readonly #released = new Map<number, { readonly hadAffinity: boolean }>();
  readonly #room: Room;
  #backends = 0;
  #ranges = 0;
  /** Whether the next plan looks at all Services: the first one, and one after a plan without `done`. */
  #nextIsComplete = true;

  constructor(nodeName: string, present: Present, room: Room = roomOfMaps) {
    this.#nodeName = nodeName;
    this.#present = present;
    this.#ids = new ServiceIds(present);
    this.#room = room;
  }

  /** `key`: namespace/name. Null: the Service was deleted. */
  service(key: string, service: ReadService | null): void {
    const known = this.#services.get(key);
    if (service === null && !known) return;
    this.#dirty.add(key);
    if (service !== null)
      this.#services.set(key, { service: trimmedService(service, labelsOfOthers), entries: known?.entries ?? nothing });
    else this.#forget(key);
  }

  /** `key`: namespace/name of the slice. Null: the slice was deleted. */
  slice(key: string, slice: ReadSlice | null): void {
    const before = this.#serviceOfSlice.get(key);
    if (before !== undefined) {
      this.#slices.get(before)?.delete(key);
      if (this.#slices.get(before)?.size === 0) this.#slices.delete(before);
      this.#serviceOfSlice.delete(key);
      this.#dirty.add(before);
    }
    const name = slice?.metadata.labels['kubernetes.io/service-name'];
    if (slice === null || name === undefined) return;
    const service = `${slice.metadata.namespace ?? ''}/${name}`;
    const own = this.#slices.get(service) ?? new Map<string, TrimmedSlice>();
    own.set(key, trimmedSlice(slice));
    this.#slices.set(service, own);
    this.#serviceOfSlice.set(key, service);
    this.#dirty.add(service);
  }

  node(name: string, addresses: NodeAddresses | null): void {
    const known = this.#nodes.get(name);
    if (addresses === null ? known === undefined : known !== undefined && same(known, addresses)) return;
    if (addresses === null) this.#nodes.delete(name);
    else this.#nodes.set(name, addresses);
    for (const key of this.#services.keys()) this.#dirty.add(key);
  }

  /** Whether there is anything to plan. */
  get hasChanged(): boolean {
    return this.#nextIsComplete || this.#dirty.size > 0;
  }

  /**
   * The writes that bring the maps to the API's state, then the clients that may stay with their backend (null: no client must be released). Call
   * `Present.apply` for each write, and `done` after all; a plan without `done` is followed by a complete one. A complete plan checks every client,
   * because an interrupted plan may have written slots without releasing the clients of the previous backends, and no difference shows that.
   */
  plan(): { writes: Write[]; stayWith: StayWith | null; done(): void } {
    const isComplete = this.#nextIsComplete;
    this.#nextIsComplete = true;
    const looked = new Set([...(isComplete ? this.#services.keys() : []), ...this.#dirty, ...this.#withoutRoom]);
    const wanted: Gathered = { isComplete, fronts: new Map(), lists: new Map(), stayWith: new Map() };
    this.#dirty.clear();
    const view = nodeView(this.#nodeName, this.#nodes);
    for (const one of this.#inTurn(looked, view)) this.#recompute(one, wanted);
    for (const [id, { hadAffinity }] of this.#released) {
      wanted.lists.set(id, null);
      if (hadAffinity) wanted.stayWith.set(id, noBackends);
    }
    this.#released.clear();
    if (isComplete) {
      for (const [key, { front }] of this.#present.fronts) wanted.fronts.set(key, front);
      for (const id of this.#present.ids()) if (!this.#ids.isCurrent(id)) wanted.lists.set(id, null);
    }
    const fronts = [...wanted.fronts].map(([key, front]) => ({ front, value: this.#valueAt(key) }));
    const writes = planWrites(this.#present, { fronts, lists: wanted.lists });
    return {
      writes,
      stayWith:
        isComplete || wanted.stayWith.size > 0 ? { byId: wanted.stayWith, others: isComplete ? 'go' : 'stay' } : null,
      done: () => {
        this.#nextIsComplete = false;
      },
    };
  }

  healthChecks(): HealthCheck[] {
    return [...this.#services.values()].flatMap(({ service: { metadata }, entries: { healthCheck } }) =>
      healthCheck ? [{ namespace: metadata.namespace ?? '', name: metadata.name, ...healthCheck }] : [],
    );
  }

  /** The parts of Services that are not served, by `namespace/name`. */
  problems(): { service: string; text: string }[] {
    return [...this.#services].flatMap(([service, { entries }]) => [
      ...entries.problems.map(({ text }) => ({ service, text })),
      ...this.#claims.lost(service).map(({ front, to }) => ({
        service,
        text: `${frontText(front)} (${front.kind}) is answered by Service ${to}.`,
      })),
    ]);
  }

  /** Each Service's entries, in the order of names. */
  *entries(): Generator<{ service: string; ports: readonly PortEntries[] }> {
    for (const service of [...this.#services.keys()].sort())
      yield { service, ports: this.#services.get(service)?.entries.ports ?? [] };
  }

  get counts(): { services: number; fronts: number; backends: number } {
    return { services: this.#services.size, fronts: this.#claims.size, backends: this.#backends };
  }

  /**
   * Orders Services for room: deleted ones first, then those in the maps, then the older, then by name. Otherwise a restart could give the room of
   * served Services to one that had found none.
   */
  #inTurn(keys: Iterable<string>, view: NodeView): Turn[] {
    const turns = [...keys].map((key): Turn => {
      const known = this.#services.get(key);
      const slices = [...(this.#slices.get(key)?.values() ?? [])];
      const entries = known ? serviceEntries(known.service, slices, view) : nothing;
      const since = known?.service.metadata.creationTimestamp ?? '';
      const rank = `${isAnswered(entries, this.#present) ? 'first' : 'then'} ${since} ${key}`;
      return { key, entries, since, rank };
    });
    return turns.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  }

  #recompute({ key, entries: wanted, since }: Turn, out: Gathered): void {
    const known = this.#services.get(key);
    const before = known?.entries ?? nothing;
    this.#backends -= countBackends(before);
    this.#ranges -= countRanges(before);
    const entries = this.#withRoom(key, wanted, countFronts(before));
    this.#backends += countBackends(entries);
    this.#ranges += countRanges(entries);
    if (known) known.entries = entries;
    const claims = entries.ports.flatMap((port) =>
      port.fronts.map((front): Claim => ({ service: key, port, since, front })),
    );
    for (const [at, front] of this.#claims.set(key, claims)) out.fronts.set(at, front);
    const named = new Set(entries.ports.map((port) => port.key));
    for (const port of before.ports) if (!named.has(port.key)) this.#release(port);
    for (const port of entries.ports) {
      const id = this.#ids.of(port);
      out.lists.set(id, { lists: port.lists, ranges: port.ranges });
      const had = before.ports.find((one) => one.key === port.key);
      const stay = port.affinityS > 0 ? backendsIn(port.lists) : noBackends;
      if (out.isComplete || (had && hasToLetGo(had, stay))) out.stayWith.set(id, stay);
    }
  }

  #withRoom(key: string, entries: ServiceEntries, hadFronts: number): ServiceEntries {
    this.#withoutRoom.delete(key);
    const problem = tooLarge(entries, this.#room);
    if (problem) return { ...nothing, problems: [...entries.problems, problem] };
    const fits =
      this.#claims.size - hadFronts + countFronts(entries) <= this.#room.all.fronts &&
      this.#backends + countBackends(entries) <= this.#room.all.backends &&
      this.#ranges + countRanges(entries) <= this.#room.all.ranges;
    if (fits || entries.ports.length === 0) return entries;
    this.#withoutRoom.add(key);
    return {
      ...nothing,
      problems: [...entries.problems, { code: 'full', text: 'The maps of this node have no room for it.' }],
    };
  }

  #forget(key: string): void {
    const known = this.#services.get(key);
    this.#services.delete(key);
    if (!known) return;
    this.#backends -= countBackends(known.entries);
    this.#ranges -= countRanges(known.entries);
    for (const port of known.entries.ports) this.#release(port);
  }

  #release({ key, affinityS }: PortEntries): void {
    const id = this.#ids.release(key);
    if (id !== undefined) this.#released.set(id, { hadAffinity: affinityS > 0 });
  }

  #valueAt(key: string): FrontValue | null {
    const claim = this.#claims.winner(key);
    if (!claim) return null;
    const { port, front } = claim;
    return {
      id: this.#ids.of(port),
      counts: { cluster: port.lists.cluster.length, local: port.lists.local.length },
      flags: front.flags,
      affinityS: port.affinityS,
    };
  }
}

/** Whether the port had session affinity and a backend that is not in `stay`. */
function hasToLetGo({ affinityS, lists }: PortEntries, stay: ReadonlySet<string>): boolean {
  return affinityS > 0 && [...backendsIn(lists)].some((one) => !stay.has(one));
}
