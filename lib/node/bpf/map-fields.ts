import type { BpfMap, DataPlaneMaps } from './data-plane-maps.ts';
import type { Flow, FlowKey } from './data-plane-records.ts';

type KeyOf<Name extends keyof DataPlaneMaps> = DataPlaneMaps[Name] extends BpfMap<infer Key, infer _> ? Key : never;
type ValueOf<Name extends keyof DataPlaneMaps> =
  DataPlaneMaps[Name] extends BpfMap<infer _, infer Value> ? Value : never;
type Names<Record> = Record extends number ? null : readonly (keyof Record)[];

const flowFields: { readonly key: Names<FlowKey>; readonly value: Names<Flow> } = {
  key: ['a', 'b', 'aPort', 'bPort', 'protocol'],
  value: [
    ...(['lastNs', 'createdNs', 'packets', 'bytes', 'rule', 'ifindex', 'client', 'service', 'backend'] as const),
    ...(['peerNode', 'clientPort', 'servicePort', 'backendPort', 'snatPort', 'serviceId', 'flags'] as const),
    ...(['type', 'tcp', 'acknowledged'] as const),
  ],
};

/** The maps with their names in C and the fields of their records. The object must have exactly these. */
export const mapFields: {
  readonly [Name in keyof DataPlaneMaps]: {
    readonly inC: string;
    readonly key: Names<KeyOf<Name>>;
    readonly value: Names<ValueOf<Name>>;
  };
} = {
  services: {
    inC: 'services',
    key: ['address', 'port', 'protocol'],
    value: ['id', 'clusterBackends', 'localBackends', 'flags', 'affinityS'],
  },
  backends: { inC: 'backends', key: ['service', 'slot', 'list'], value: ['address', 'node', 'port', 'flags'] },
  sourceRanges: { inC: 'source_ranges', key: ['prefix', 'service', 'address'], value: null },
  affinities: { inC: 'affinities', key: ['client', 'service'], value: ['backend', 'node', 'port', 'lastNs'] },
  routes: { inC: 'routes', key: ['prefix', 'address'], value: ['flags', 'ifindex', 'node', 'endpoint'] },
  interfaces: {
    inC: 'interfaces',
    key: null,
    value: [
      ...(['kind', 'mtu', 'statistics', 'policyIn', 'policyOut', 'hostPolicyIn', 'hostPolicyOut'] as const),
      ...(['hostV4', 'hostV6', 'podMac', 'hostMac', 'flags'] as const),
    ],
  },
  config: { inC: 'config', key: null, value: ['flags', 'vni', 'tunnelPort', 'tunnelMtu', 'nodeV4', 'nodeV6'] },
  flows: { inC: 'flows', ...flowFields },
  heldFlows: { inC: 'held_flows', ...flowFields },
  neighbours: {
    inC: 'neighbours',
    key: ['a', 'b', 'aPort', 'bPort', 'protocol'],
    value: ['lastNs', 'ifindex', 'tcp', 'endOf', 'isLast', 'end'],
  },
  nextHops: { inC: 'next_hops', key: ['address', 'ifindex'], value: ['lastNs'] },
  socketOrigins: {
    inC: 'socket_origins',
    key: ['cookie', 'backend', 'port', 'protocol'],
    value: ['service', 'port', 'serviceId'],
  },
  streamOrigins: {
    inC: 'stream_origins',
    key: null,
    value: ['cookie', 'backend', 'service', 'backendPort', 'servicePort'],
  },
};
