import { expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { leftInWords, leftProbe, sweepLeftProbe } from './left-probe.ts';
import { probeNames } from './objects.ts';

const { signal } = new AbortController();
const begun = '2026-11-23T10:00:00Z';
const ours = { labels: { [names.managedByLabel]: names.fieldManager } };

function after(minutes: number, metadata: KubeObject['metadata'] = ours) {
  const clock = { now: () => Date.parse(begun) + minutes * 60_000 };
  const kube = createStore({ name: 'test', source: 'live', clock: instantClock() });
  const { namespace: name } = probeNames;
  kube.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: 'u', creationTimestamp: begun, ...metadata } },
  ]);
  const isThere = async () =>
    (await kube.get({ resource: resources.namespaces, name }))?.metadata.deletionTimestamp === undefined;
  return { kube, clock, isThere };
}

test.each<[string, number, KubeObject['metadata'] | undefined, number | null]>([
  ['may still run', 9, undefined, null],
  ['was killed', 11, undefined, 11],
  ['is kept by whoever asked for it', 600, { ...ours, annotations: { [names.keptAnnotation]: 'true' } }, null],
  ["is somebody else's", 600, { labels: {} }, null],
  ['has no time', 600, { ...ours, creationTimestamp: 'x' }, null],
])('a namespace of a test that %s, after %i min', async (_title, minutes, metadata, expected) => {
  const { kube, clock } = after(minutes, metadata);
  const left = await leftProbe(kube, clock, signal);
  expect(left && left.sinceMs / 60_000).toBe(expected);
  if (left) expect(leftInWords(left)).toContain(`began ${minutes} min ago`);
});

test('it is swept after an hour, and not before', async () => {
  for (const [minutes, stays] of [
    [59, true],
    [61, false],
  ] as const) {
    const { kube, clock, isThere } = after(minutes);
    await sweepLeftProbe(kube, clock, signal);
    expect(await isThere()).toBe(stays);
  }
});

test('without the right to look nothing is left, and nothing fails', async () => {
  const { kube, clock } = after(600);
  expect(await leftProbe(kube.as({ name: 'nobody', rules: [] }), clock, signal)).toBeNull();
});
