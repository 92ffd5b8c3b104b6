import {
  type BpfMap,
  backendFlags,
  backendLists,
  type DataPlaneMaps,
  protocols as protocolNumbers,
  serviceFlags,
} from '../bpf/index.ts';
import { type Backend, type FrontFlag, listKinds, protocols } from '../services/entries.ts';
import { type FrontValue, Present, type Write } from '../services/present.ts';

type ServiceMaps = Pick<DataPlaneMaps, 'services' | 'backends' | 'sourceRanges' | 'affinities'>;

const flagNames = {
  'inside-local': 'insideLocal',
  'outside-local': 'outsideLocal',
  'source-ranges': 'sourceRanges',
  affinity: 'affinity',
  'node-port': 'nodePort',
} as const satisfies Record<FrontFlag, keyof typeof serviceFlags>;
const flagsOfFronts = Object.entries(flagNames) as [FrontFlag, keyof typeof serviceFlags][];

/** The prefix of a source range begins with all 32 bits of the Service's number. */
const bitsOfId = 32;

type Change<Map extends Write['map']> = Extract<Write, { map: Map }>;

/** Consecutive writes of a plan that can go to the kernel in one call: several new values of one map, or one deletion. */
export type Run = readonly [Write, ...Write[]];

/** The run that begins at index `at` of a plan, of at most `most` writes; null at its end. */
export function runAt(writes: readonly Write[], at: number, most: number): Run | null {
  const first = writes[at];
  if (!first) return null;
  let end = at + 1;
  const goesOn = ({ map, value }: Write) => map === first.map && value !== null;
  for (let next = writes[end]; goesOn(first) && next && goesOn(next) && end < at + most; next = writes[end]) end++;
  return writes.slice(at, end) as [Write, ...Write[]];
}

/** Passes a run to the kernel. Returns how many of its first writes were done, at least one. @throws BpfError if the first is refused */
export function carryOut(maps: ServiceMaps, run: Run): number {
  const [first] = run;
  switch (first.map) {
    case 'services':
      return put(maps.services, run as readonly Change<'services'>[], serviceKey, serviceValue);
    case 'backends':
      return put(maps.backends, run as readonly Change<'backends'>[], backendKey, backendValue);
    case 'source_ranges':
      return put(maps.sourceRanges, run as readonly Change<'source_ranges'>[], rangeKey, (value) => value);
  }
}

function put<Key, Value, One extends Write>(
  map: BpfMap<Key, Value>,
  run: readonly One[],
  toKey: (write: One) => Key,
  toValue: (value: NonNullable<One['value']>) => Value,
): number {
  const entries: (readonly [Key, Value])[] = [];
  for (const one of run) {
    if (one.value !== null) entries.push([toKey(one), toValue(one.value)]);
    else map.delete(toKey(one));
  }
  return entries.length === 0 ? run.length : map.setAll(entries);
}

const serviceKey = ({ front: { address, port, protocol } }: Change<'services'>) => ({
  address,
  port,
  protocol: protocolNumbers[protocol],
});

const serviceValue = ({ id, counts, flags, affinityS }: FrontValue) => ({
  id,
  clusterBackends: counts.cluster,
  localBackends: counts.local,
  flags: flags.reduce((sum, flag) => sum | serviceFlags[flagNames[flag]], 0),
  affinityS,
});

const backendKey = ({ id, slot, list }: Change<'backends'>) => ({ service: id, slot, list: backendLists[list] });

const backendValue = (backend: Backend) => {
  const { address, node, port } = backend;
  return { address, node, port, flags: flagsOf(backend) };
};

const rangeKey = ({ id, range }: Change<'source_ranges'>) => ({
  prefix: bitsOfId + range.bits,
  service: id,
  address: range.address,
});

function flagsOf({ isLocal, isHost }: Backend): number {
  return (isLocal ? backendFlags.local : 0) | (isHost ? backendFlags.hostNetwork : 0);
}

/**
 * Reads the maps that an earlier process has left. Entries that this agent never writes (another protocol or list) are left out and so stay
 * unchanged.
 */
export function readPresent(maps: ServiceMaps): Present {
  const present = new Present();
  for (const [key, value] of maps.services.entries()) {
    const protocol = protocols.find((one) => protocolNumbers[one] === key.protocol);
    if (protocol === undefined) continue;
    present.apply({
      map: 'services',
      front: { address: key.address, port: key.port, protocol },
      value: {
        id: value.id,
        counts: { cluster: value.clusterBackends, local: value.localBackends },
        flags: flagsOfFronts.filter(([, name]) => (value.flags & serviceFlags[name]) !== 0).map(([flag]) => flag),
        affinityS: value.affinityS,
      },
    });
  }
  for (const [key, { address, node, port, flags }] of maps.backends.entries()) {
    const list = listKinds.find((one) => backendLists[one] === key.list);
    if (list === undefined) continue;
    const isLocal = (flags & backendFlags.local) !== 0;
    const isHost = (flags & backendFlags.hostNetwork) !== 0;
    const value = { address, node, port, isLocal, isHost };
    present.apply({ map: 'backends', id: key.service, list, slot: key.slot, value });
  }
  for (const [{ prefix, service, address }] of maps.sourceRanges.entries())
    present.apply({
      map: 'source_ranges',
      id: service,
      range: { address, bits: prefix - bitsOfId },
      value: 1,
    });
  for (const [{ service }] of maps.affinities.entries()) present.reserve(service);
  return present;
}
