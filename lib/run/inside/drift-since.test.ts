import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { type Entry, journalSchema } from '../model/journal.ts';
import { driftSince } from './drift-since.ts';

const plan = aPlan();
const at = '2026-01-01T00:00:00Z';
const seqs = plan.operations
  .filter(({ id, status }) => status === 'needed' && (id === 'switch.bpf' || id.startsWith('proxy.disable')))
  .map(({ seq }) => seq);
const journal = journalSchema.parse({
  apiVersion: 'signalbox.dev/v1',
  kind: 'Journal',
  run: 'r',
  goal: 'enable',
  cluster: 'c',
  planHash: plan.hash,
  startedAt: at,
  startedBy: 'i/p',
  state: { kind: 'done' },
  accepted: [],
  entries: seqs.map((seq): Entry => ({ what: 'finished', direction: 'forward', seq, at, outcome: 'met', note: null })),
});
const installation = (linuxDataplane: string): KubeObject => ({
  apiVersion: 'operator.tigera.io/v1',
  kind: 'Installation',
  metadata: { name: 'default' },
  spec: { calicoNetwork: { linuxDataplane, hostPorts: 'Enabled' } },
});
const proxy: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'kube-proxy', namespace: 'kube-system' },
  spec: { template: { spec: { nodeSelector: { 'non-calico': 'true' } } } },
};
const drift = (...objects: KubeObject[]) =>
  driftSince(createStore({ name: 'c', source: 'sandbox', objects }), plan, journal, new AbortController().signal);

test('nothing has drifted where each field is as the run wrote it; what the operator writes back is no drift', async () => {
  const found = await drift(installation('BPF'), proxy);
  expect([found.drifted, found.notRead]).toEqual([[], []]);
  expect(found.looked).toBeGreaterThan(1);
});

test('a field that somebody changed, and an object that is gone, are told with what the run left', async () => {
  expect((await drift(installation('Iptables'))).drifted).toEqual([
    { object: 'Installation/default', path: 'spec.calicoNetwork.linuxDataplane', left: 'BPF', now: 'Iptables' },
    { object: 'kube-system/DaemonSet/kube-proxy', path: null, left: 'present', now: 'absent' },
  ]);
});

test('what may not be read is told, and is no drift', async () => {
  const kube = createStore({ name: 'c', source: 'sandbox', objects: [installation('BPF'), proxy] }).as({
    name: 'eve',
    rules: [],
  });
  const found = await driftSince(kube, plan, journal, new AbortController().signal);
  expect([found.looked, found.drifted]).toEqual([0, []]);
  expect(found.notRead.join()).toContain('"eve" cannot get');
});
