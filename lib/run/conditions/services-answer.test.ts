import { expect, test } from 'vitest';
import { instantClock } from '#lib/kube/index.ts';
import type { ServiceKind } from '#lib/spec/index.ts';
import { noServices, type ServicesWatched, takenOver, withFaults, withReadings } from '../services/services.ts';
import { servicesAnswer } from './services-answer.ts';

const clock = instantClock();
const now = clock.now();
const fine = { tried: 20, answered: 20, late: 0, none: 0, openMs: 0 };
const dead = { tried: 20, answered: 0, late: 0, none: 20, openMs: 0 };
const unreported = { tried: 0, answered: 0, late: 0, none: 0, openMs: 0 };
const open = { tried: 20, answered: 0, late: 0, none: 20, openMs: 4_000 };
type Second = Partial<Record<ServiceKind, typeof fine>>;

/** The reports of nodes a and b, one for each second; the last one arrived just now. */
function watchedAfter(
  a: readonly Second[],
  b: readonly Second[] = [{ api: fine, 'dns-udp': fine, 'node-port': fine }],
) {
  const readings = Object.entries({ a, b }).flatMap(([node, seconds]) =>
    seconds.map((kinds, index) => ({
      node,
      at: now - 1_000 * (seconds.length - 1 - index),
      spanMs: 1_000,
      kinds,
      gaps: [],
    })),
  );
  const none = noServices(now - 60_000, { intervalMs: 50, of: 2, nodes: ['a', 'b'] });
  return readings.reduce((so, one) => withReadings(so, [one], one.at), none);
}

const twenty = (last: Second) => [
  { api: fine, 'dns-udp': fine, 'node-port': fine },
  ...Array.from({ length: 20 }, () => last),
];

test.each<[string, ServicesWatched | null, string]>([
  ['nobody asked', null, 'unknown: This run did not watch them.'],
  ['each kind answers from each node', watchedAfter([{ api: fine, 'dns-udp': fine, 'node-port': fine }]), 'met'],
  [
    'one kind has never answered on one node',
    watchedAfter([{ api: fine, 'dns-udp': dead }]),
    'unknown: Services are not verified on 1 node. a: DNS has never answered.',
  ],
  [
    'one kind has answered from no node',
    watchedAfter([{ api: fine, 'dns-udp': dead }], [{ api: fine, 'dns-udp': dead }]),
    'unknown: Services are not verified on 2 nodes. a: DNS has never answered.',
  ],
  [
    'a NodePort with nothing behind it',
    watchedAfter([{ api: fine, 'node-port': dead }], [{ api: fine, 'node-port': dead }]),
    'met',
  ],
  [
    'a NodePort that answers from the other node alone',
    watchedAfter([{ api: fine, 'node-port': dead }]),
    'unknown: Services are not verified on 1 node. a: NodePort has never answered.',
  ],
  [
    'one kind is no longer reported',
    watchedAfter(twenty({ api: fine, 'dns-udp': unreported, 'node-port': fine })),
    'unknown: Services are not verified on 1 node. a: no report about DNS.',
  ],
  ['one node tells nothing', watchedAfter([]), 'unknown: Services are not verified on 1 node. a: tells nothing.'],
  [
    'the pod of one node does not start',
    withFaults(watchedAfter([]), new Map([['a', 'its pod does not start: no such image']])),
    'unknown: Services are not verified on 1 node. a: its pod does not start: no such image.',
  ],
  [
    'another process has heard it',
    takenOver(watchedAfter([{ api: fine }]), now),
    'unknown: Services are not verified on 2 nodes. a: tells nothing.',
  ],
  [
    'a gap lasts',
    watchedAfter(twenty({ api: open, 'dns-udp': fine, 'node-port': fine })),
    'waiting for a: ClusterIP has not answered for 4.0 s',
  ],
  [
    "the gap of somebody's NodePort lasts",
    watchedAfter(twenty({ api: fine, 'dns-udp': fine, 'node-port': open })),
    "unknown: The cluster's own Services answer from every node. On a, NodePort has not answered for 4.0 s: the pods behind it may be gone.",
  ],
])('%s', async (_what, services, expected) => {
  const progress = await servicesAnswer({}, { services, clock });
  const words =
    progress.kind === 'unknown'
      ? `unknown: ${progress.because}`
      : progress.kind === 'waiting'
        ? `waiting for ${progress.heldUpBy.map(({ name, detail }) => `${name}: ${detail}`).join()}`
        : progress.kind;
  expect(words).toBe(expected);
});

test('where a run asks only some of the nodes, nothing is said of the others', async () => {
  const asked = watchedAfter(twenty({ api: open, 'dns-udp': fine, 'node-port': fine }));
  expect(await servicesAnswer({}, { services: { ...asked, of: 900 }, clock })).toMatchObject({
    awaiting: 'Services to answer from 2 of 900 nodes',
  });
  const other = watchedAfter(twenty({ api: fine, 'dns-udp': fine, 'node-port': open }));
  expect(await servicesAnswer({}, { services: { ...other, of: 900 }, clock })).toMatchObject({
    because: expect.stringMatching(/^The cluster's own Services answer from 2 of 900 nodes\. On a,/),
  });
});
