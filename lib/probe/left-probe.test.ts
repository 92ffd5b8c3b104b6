import { expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { heldBy, renewHold } from './holder.ts';
import { leftInWords, leftProbe, sweepLeftProbe } from './left-probe.ts';
import { probeNames } from './objects/probe-names.ts';

const { signal } = new AbortController();
const begun = '2026-11-23T10:00:00Z';
const labels = { [names.managedByLabel]: names.fieldManager };
const held = heldBy({ id: 'there/2@2/b' }, { now: () => Date.parse(begun) });
const ours = { labels, annotations: held };

function after(minutes: number, metadata: KubeObject['metadata'] = ours) {
  const instant = instantClock();
  const since = instant.monotonic();
  const clock = { ...instant, now: () => Date.parse(begun) + minutes * 60_000 + instant.monotonic() - since };
  const kube = createStore({ name: 'test', source: 'live', clock: instant });
  const { namespace: name } = probeNames;
  kube.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: 'u', creationTimestamp: begun, ...metadata } },
  ]);
  const isThere = async () =>
    (await kube.get({ resource: resources.namespaces, name }))?.metadata.deletionTimestamp === undefined;
  return { kube, clock, signal, isThere };
}

test.each<[string, number, KubeObject['metadata'] | undefined, number | null]>([
  ['may still run', 19, undefined, null],
  ['was killed', 21, undefined, 21],
  ['is kept by whoever asked for it', 600, { ...ours, annotations: { ...held, [names.keptAnnotation]: 'true' } }, null],
  ['was kept by an earlier version, or made by hand', 600, { labels }, null],
  ["is somebody else's", 600, { ...ours, labels: {} }, null],
  ['has no time', 600, { ...ours, creationTimestamp: 'x' }, null],
])('a namespace of a test that %s, after %i min', async (_title, minutes, metadata, expected) => {
  const left = await leftProbe(after(minutes, metadata));
  expect(left && left.sinceMs / 60_000).toBe(expected);
  if (left) expect(leftInWords(left)).toMatch(new RegExp(`began ${minutes} min ago .*\`kubectl delete namespace`));
});

test('it is swept after an hour, and not before', async () => {
  for (const [minutes, stays] of [
    [59, true],
    [61, false],
  ] as const) {
    const { isThere, ...options } = after(minutes);
    await sweepLeftProbe(options);
    expect(await isThere()).toBe(stays);
  }
});

test('without the right to look nothing is left, and nothing fails', async () => {
  const { kube, clock } = after(600);
  expect(await leftProbe({ kube: kube.as({ name: 'nobody', rules: [] }), clock, signal })).toBeNull();
});

test('one that is at work is not left, however far ahead the clock of whoever asks is', async () => {
  const { isThere, ...options } = after(600);
  const stop = renewHold(options, probeNames.namespace);
  await sweepLeftProbe(options);
  expect([await leftProbe(options), await isThere()]).toEqual([null, true]);
  await stop();
  expect(await leftProbe(options)).not.toBeNull();
  expect(await leftProbe({ ...options, isDead: async () => true })).not.toBeNull();
});
