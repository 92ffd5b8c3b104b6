import { expect, test } from 'vitest';
import { clusterDifferences, exceptions, expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { aCluster } from '#lib/sandbox/index.ts';

const objects = aCluster({ now: Date.UTC(2026, 0, 1) });
const changed = (kind: string, name: string, change: (object: KubeObject) => KubeObject): KubeObject[] =>
  objects.map((one) => (one.kind === kind && one.metadata.name === name ? change(one) : one));
const withSpec = (spec: Record<string, unknown>) => (object: KubeObject) => ({
  ...object,
  spec: { ...(object.spec as object), ...spec },
});

test('a cluster is the same as itself', () => {
  expect(clusterDifferences(objects, objects)).toEqual([]);
});

test.each([
  [
    'a field that was added',
    changed('FelixConfiguration', 'default', withSpec({ bpfKubeProxyIptablesCleanupEnabled: false })),
  ],
  ['a field that was changed', changed('Installation', 'default', withSpec({ variant: 'Other' }))],
  ['an object that is gone', objects.filter(({ kind }) => kind !== 'IPPool')],
  [
    'an object that is new',
    [...objects, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left', namespace: 'default' } }],
  ],
  [
    'a pod that is missing',
    objects.filter(({ kind, metadata }) => kind !== 'Pod' || !metadata.name?.startsWith('calico-node')),
  ],
  [
    'an annotation that stayed',
    changed('Deployment', 'tigera-operator', (one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { ...one.metadata.annotations, left: 'over' } },
    })),
  ],
])('%s is a difference', (_words, after) => {
  expect(clusterDifferences(objects, after)).not.toEqual([]);
});

test.each([
  ['nftablesMode', changed('FelixConfiguration', 'default', withSpec({ nftablesMode: 'Enabled' }))],
  [
    'an Event',
    [...objects, { apiVersion: 'v1', kind: 'Event', metadata: { name: 'signalbox-1', namespace: 'default' } }],
  ],
  [
    'a generation',
    changed('Installation', 'default', (one) => ({ ...one, metadata: { ...one.metadata, generation: 99 } })),
  ],
])('%s is allowed', (_words, after) => {
  expect(clusterDifferences(objects, after)).toEqual([]);
});

test('what differs is told with the table of what may', () => {
  const after = changed('Installation', 'default', withSpec({ variant: 'Other' }));
  expect(() => expectSameCluster(objects, after)).toThrow(
    /Installation\.operator\.tigera\.io\/\/default spec\.variant: was "Calico", is "Other"[\s\S]*Only these may differ:[\s\S]*nftablesMode/,
  );
  expect(new Set(exceptions.map(({ name }) => name)).size).toBe(exceptions.length);
});
