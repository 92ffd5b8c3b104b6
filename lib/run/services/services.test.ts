import { expect, test } from 'vitest';
import type { ServiceReading } from '#lib/kube/index.ts';
import { noServices, openGaps, servicesSchema, takenOver, withAskingNodes, withReadings } from './services.ts';
import { gapsSentence, type ServiceGaps, serviceGaps } from './services-in-words.ts';

const second = (at: number, more: Partial<ServiceReading> & { api?: Partial<ServiceCounts> } = {}): ServiceReading => ({
  node: 'a',
  at,
  spanMs: 1_000,
  gaps: [],
  kinds: { api: { tried: 20, answered: 20, late: 0, none: 0, openMs: 0, ...more.api } },
  ...more,
});
type ServiceCounts = NonNullable<ServiceReading['kinds']['api']>;

const empty = noServices(0, { intervalMs: 50, of: 2, nodes: ['a', 'b'] });
const after = (readings: ServiceReading[], now = Math.max(...readings.map(({ at }) => at))) =>
  withReadings(empty, readings, now);
const apiOf = (watched: ReturnType<typeof after>, node = 'a') =>
  watched.nodes.find((one) => one.node === node)?.kinds.find(({ kind }) => kind === 'api');

test('what answers has no gap, and each second its mark', () => {
  expect(apiOf(after([second(1_000), second(2_000)]))).toMatchObject({
    tried: 40,
    gaps: 0,
    longest: null,
    sumMs: 0,
    unmeasuredMs: 0,
    marks: '..',
  });
});

test('the longest gap, their number and their sum', () => {
  const gap = (at: number, ms: number) => ({ kind: 'api', at, ms }) as const;
  const seconds = [
    second(1_000),
    second(2_000, { gaps: [gap(1_100, 200)] }),
    second(3_000, { gaps: [gap(2_100, 500)] }),
  ];
  expect(apiOf(after(seconds))).toMatchObject({
    gaps: 2,
    sumMs: 700,
    longest: { at: 2_100, ms: 500 },
    marks: '.xx',
  });
});

test('a gap that lasts is told at once', () => {
  const watched = after([second(1_000), second(2_000, { api: { answered: 6, none: 7, openMs: 700 } })]);
  expect(openGaps(watched)).toEqual([{ node: 'a', kind: 'api', ms: 700 }]);
  expect(apiOf(watched)).toMatchObject({ longest: { at: 1_300, ms: 700 }, sumMs: 0 });
});

test('seconds of which nothing was told are not measured, and never none', () => {
  const watched = after([second(1_000), second(5_000)]);
  expect(apiOf(watched)).toMatchObject({ unmeasuredMs: 3_000, gaps: 0, marks: '.???.' });
});

test('until the first is told nothing is measured', () => {
  expect(apiOf(after([second(4_000)]))).toMatchObject({ unmeasuredMs: 3_000, marks: '???.' });
  expect(apiOf(after([second(4_000)]), 'b')).toBeUndefined();
});

test('what never answered has no gap: it is not measured', () => {
  const dead = { answered: 0, none: 10, openMs: 1_000 };
  const watched = after([second(1_000, { api: dead }), second(2_000, { api: { ...dead, openMs: 2_000 } })]);
  expect(openGaps(watched)).toEqual([]);
  expect(apiOf(watched)).toMatchObject({ gaps: 0, unmeasuredMs: 2_000, marks: '??' });
});

test.each<[string, ServiceReading]>([
  ['another node', second(2_000, { node: 'c' })],
  ['a time that is over', second(500)],
  ['a time to come', second(1e12)],
])('nothing is believed of %s', (_what, reading) => {
  const before = after([second(1_000)]);
  expect(withReadings(before, [reading], 1_000).nodes).toEqual(before.nodes);
});

test('who takes a run over begins without a gap that lasts, and has heard of nobody', () => {
  const left = after([second(1_000), second(2_000, { api: { answered: 6, none: 7, openMs: 700 } })]);
  const mine = takenOver(left, 5_000);
  expect(openGaps(mine)).toEqual([]);
  expect(apiOf(mine)).toMatchObject({ gaps: 1, sumMs: 700, longest: { at: 1_300, ms: 700 } });
  expect(apiOf(mine)).not.toHaveProperty('heardAt');
  expect(servicesSchema.parse(mine)).toEqual(mine);
});

test('a process whose clock was ahead keeps the next one from hearing nothing', () => {
  const mine = takenOver(after([second(9_000_000)]), 5_000);
  expect(apiOf(withReadings(mine, [second(6_000)], 6_000))).toMatchObject({ tried: 40, heardAt: 6_000 });
});

test('a node that asks since another process carries the run is believed, and those before it stay', () => {
  const mine = withAskingNodes(takenOver(after([second(1_000)]), 1_000), { intervalMs: 50, of: 3, nodes: ['a', 'c'] });
  const watched = withReadings(mine, [second(2_000, { node: 'c' })], 2_000);
  expect(watched.nodes.map(({ node }) => node)).toEqual(['a', 'b', 'c']);
  expect([apiOf(watched, 'c')?.tried, watched.of]).toEqual([20, 3]);
});

test.each<[string, ReturnType<typeof after>, string | null]>([
  ['all of it', after([second(1_000), second(2_000)]), 'Services answered from 2 nodes all the time'],
  ['not three seconds of it', after([second(1_000), second(5_000)]), 'No gap of a Service in what was measured'],
  ['not its end', { ...after([second(1_000)]), missed: ['Gone.'] }, 'Not measured to the end.'],
  ['nothing of its last minute', after([second(1_000)], 61_000), 'Not measured everywhere: up to 60 s of it.'],
  [
    'a gap, and not all',
    after([second(1_000), second(5_000, { gaps: [{ kind: 'api', at: 4_100, ms: 300 }] })]),
    'known to 100 ms. Not measured everywhere: up to 3.0 s of it.',
  ],
])('what was measured is said: %s', (_what, { nodes: [a], ...rest }, sentence) => {
  if (a === undefined) throw new Error('no node');
  const both = { ...rest, nodes: [a, { ...a, node: 'b' }] };
  expect(gapsSentence(serviceGaps(both) as ServiceGaps)).toContain(sentence);
});

test('an hour of fifty nodes stay small, and keep the worst', () => {
  const nodes = Array.from({ length: 50 }, (_, index) => `node-${index}`);
  let watched = noServices(0, { intervalMs: 250, of: 5_000, nodes });
  for (let at = 10_000; at <= 3_600_000; at += 10_000)
    watched = withReadings(
      watched,
      nodes.map((node) =>
        second(at, { node, spanMs: 10_000, gaps: at === 20_000 ? [{ kind: 'api', at: 11_000, ms: 900 }] : [] }),
      ),
      at,
    );
  expect(JSON.stringify(watched).length).toBeLessThan(20_000);
  expect(servicesSchema.parse(watched)).toEqual(watched);
  expect(apiOf(watched, 'node-7')).toMatchObject({ unmeasuredMs: 0, longest: { at: 11_000, ms: 900 } });
  expect(apiOf(watched, 'node-7')?.marks).toMatch(/^x\.+$/);
});
