import { expect, test } from 'vitest';
import { healthOf } from './health.ts';

type Seen = Parameters<typeof healthOf>[0];

const healthy: Seen = {
  installation: { dataplane: 'Iptables', generation: 1, version: 'v3.31.4' },
  felix: { bpfEnabled: false, ownedByOperator: true },
  agents: { desired: 6, updated: 6, available: 6 },
  proxy: { desired: 6, ready: 6 },
  components: [component('calico', 'available'), component('apiserver', 'available')],
  unknown: [],
};

function component(name: string, state: Seen['components'][number]['state']): Seen['components'][number] {
  return { name, state, message: null, since: null, observedGeneration: 1, current: true };
}

const off = { desired: 0, ready: 0 };
const bpfOn = { bpfEnabled: true, ownedByOperator: true };
const outage = { kind: 'outage', says: 'Services may be down: kube-proxy is off, eBPF is not on' } as const;
const unset = { bpfEnabled: null, ownedByOperator: true };
const onBpf = { dataplane: 'BPF', generation: 2, version: 'v3.31.4' };

const byManifest: Partial<Seen> = { installation: null, manifest: { version: 'v3.30.7', bpf: false }, components: [] };

test.each<[string, Partial<Seen>, ReturnType<typeof healthOf>]>([
  ['all is well', {}, { kind: 'healthy', says: 'Healthy' }],
  ['on eBPF without a proxy', { installation: onBpf, felix: bpfOn, proxy: off }, { kind: 'healthy', says: 'Healthy' }],
  [
    'eBPF that the Installation asks for, and the operator has not turned on',
    { installation: onBpf, proxy: off },
    outage,
  ],
  ['eBPF that was turned on by hand', { felix: bpfOn, proxy: off }, { kind: 'healthy', says: 'Healthy' }],
  ['a FelixConfiguration that does not say, and no eBPF wanted', { felix: unset, proxy: off }, outage],
  [
    'a FelixConfiguration that does not say, and eBPF wanted',
    { felix: unset, installation: onBpf, proxy: off },
    { kind: 'healthy', says: 'Healthy' },
  ],
  [
    'no proxy, and a FelixConfiguration that may not be read',
    { felix: null, unknown: [{ kind: 'FelixConfiguration', because: 'forbidden' }], proxy: off },
    { kind: 'unknown', says: 'Health not verified: FelixConfiguration cannot be read' },
  ],
  [
    'no proxy and no eBPF, whatever else is reported',
    { proxy: off },
    { kind: 'outage', says: 'Services may be down: kube-proxy is off, eBPF is not on' },
  ],
  [
    'a degraded component',
    { components: [component('calico', 'degraded'), component('apiserver', 'progressing')] },
    { kind: 'degraded', says: 'calico is degraded' },
  ],
  [
    'agents that are not ready',
    { agents: { desired: 6, updated: 6, available: 4 } },
    { kind: 'late', says: 'Calico’s agent is ready on 4 of 6 nodes' },
  ],
  [
    'the agent of a cluster of one node, which is not ready',
    { agents: { desired: 1, updated: 1, available: 0 } },
    { kind: 'late', says: 'Calico’s agent is ready on 0 of 1 node' },
  ],
  [
    'by manifest, on one node',
    { ...byManifest, agents: { desired: 1, updated: 1, available: 1 } },
    { kind: 'healthy', says: 'Calico’s agent is ready on the only node' },
  ],
  [
    'a rollout',
    { components: [component('calico', 'progressing')] },
    { kind: 'moving', says: 'calico is rolling out' },
  ],
  [
    'a status that speaks of an earlier Installation',
    { components: [{ ...component('calico', 'available'), current: false }] },
    { kind: 'moving', says: 'The operator has not seen the last change: calico' },
  ],
  [
    'no nodes: nothing is unserved',
    { proxy: off, agents: { desired: 0, updated: 0, available: 0 } },
    { kind: 'healthy', says: 'Healthy' },
  ],
  [
    'what may not be read',
    { unknown: [{ kind: 'TigeraStatus', because: 'forbidden' }], components: [] },
    { kind: 'unknown', says: 'Health not verified: TigeraStatus cannot be read' },
  ],
  [
    'agents without an Installation, where an operator puts them',
    { installation: null, components: [] },
    { kind: 'unknown', says: 'Health not verified: no status of the operator' },
  ],
  ['by manifest', byManifest, { kind: 'healthy', says: 'Calico’s agent is ready on all of 6 nodes' }],
  [
    'by manifest, while it is rolled out',
    { ...byManifest, agents: { desired: 6, updated: 2, available: 6 } },
    { kind: 'moving', says: 'Calico’s agent is updated on 2 of 6 nodes' },
  ],
  [
    'by manifest, with no proxy and no eBPF',
    { ...byManifest, proxy: off },
    { kind: 'outage', says: 'Services may be down: kube-proxy is off, eBPF is not on' },
  ],
  [
    'by manifest on eBPF without a proxy',
    { ...byManifest, manifest: { version: 'v3.30.7', bpf: true }, proxy: off },
    { kind: 'healthy', says: 'Calico’s agent is ready on all of 6 nodes' },
  ],
  [
    'by manifest, and something may not be read',
    { ...byManifest, unknown: [{ kind: 'FelixConfiguration', because: 'forbidden' }] },
    { kind: 'unknown', says: 'Health not verified: FelixConfiguration cannot be read' },
  ],
  ['no Calico', { installation: null, agents: null, components: [] }, { kind: 'none', says: 'No Calico' }],
])('%s', (_what, seen, expected) => {
  expect(healthOf({ ...healthy, ...seen })).toEqual(expected);
});
