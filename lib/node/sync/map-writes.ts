import {
  backendFlags,
  backendLists,
  type DataPlaneMaps,
  protocols as protocolNumbers,
  serviceFlags,
} from '../bpf/index.ts';
import { type Backend, type FrontFlag, listKinds, protocols } from '../services/entries.ts';
import { Present, type Write } from '../services/present.ts';

type ServiceMaps = Pick<DataPlaneMaps, 'services' | 'backends' | 'sourceRanges' | 'affinities'>;

const flagNames = {
  'inside-local': 'insideLocal',
  'outside-local': 'outsideLocal',
  'source-ranges': 'sourceRanges',
  affinity: 'affinity',
  'node-port': 'nodePort',
} as const satisfies Record<FrontFlag, keyof typeof serviceFlags>;
const flagsOfFronts = Object.entries(flagNames) as [FrontFlag, keyof typeof serviceFlags][];

/** All 32 bits of the Service's number come before the range. */
const bitsOfId = 32;

/** One write of a plan, to the kernel. @throws BpfError */
export function carryOut(maps: ServiceMaps, write: Write): void {
  switch (write.map) {
    case 'services': {
      const { address, port, protocol } = write.place;
      const key = { address, port, protocol: protocolNumbers[protocol] };
      const { value } = write;
      if (value === null) maps.services.delete(key);
      else
        maps.services.set(key, {
          id: value.id,
          clusterBackends: value.counts.cluster,
          localBackends: value.counts.local,
          flags: value.flags.reduce((sum, flag) => sum | serviceFlags[flagNames[flag]], 0),
          affinityS: value.affinityS,
        });
      return;
    }
    case 'backends': {
      const key = { service: write.id, slot: write.slot, list: backendLists[write.list] };
      if (write.value === null) maps.backends.delete(key);
      else {
        const { address, node, port } = write.value;
        maps.backends.set(key, { address, node, port, flags: flagsOf(write.value) });
      }
      return;
    }
    case 'source_ranges': {
      const key = { prefix: bitsOfId + write.range.bits, service: write.id, address: write.range.address };
      if (write.value === null) maps.sourceRanges.delete(key);
      else maps.sourceRanges.set(key, write.value);
    }
  }
}

function flagsOf({ isLocal, isHost }: Backend): number {
  return (isLocal ? backendFlags.local : 0) | (isHost ? backendFlags.hostNetwork : 0);
}

/** What the maps hold, of a process that is gone. What no agent of ours wrote (another protocol or list) is left out of it, and so left alone. */
export function readPresent(maps: ServiceMaps): Present {
  const present = new Present();
  for (const [key, value] of maps.services.entries()) {
    const protocol = protocols.find((one) => protocolNumbers[one] === key.protocol);
    if (protocol === undefined) continue;
    present.apply({
      map: 'services',
      place: { address: key.address, port: key.port, protocol },
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
