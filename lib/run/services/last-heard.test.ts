import { expect, test } from 'vitest';
import type { ServiceReading } from '#lib/kube/index.ts';
import { lastHeard } from './last-heard.ts';
import { noServices, withReadings } from './services.ts';

const watched = noServices(0, { intervalMs: 50, of: 3, nodes: ['a', 'b', 'c'] });
const second = (node: string, at: number, openMs = 0): ServiceReading => ({
  node,
  at,
  spanMs: 1_000,
  gaps: [],
  kinds: { api: { tried: 20, answered: openMs > 0 ? 0 : 20, late: 0, none: openMs > 0 ? 20 : 0, openMs } },
});

test('a node whose gap is still open had no answer at the end; one of which nothing was heard was not asked', () => {
  const readings = [second('a', 1_000), second('b', 1_000), second('b', 2_000, 900)];
  expect(lastHeard(withReadings(watched, readings, 2_000))).toEqual([
    { kind: 'api', asked: 2, answered: 1, at: '1970-01-01T00:00:02.000Z' },
  ]);
});

test('a watch without readings has no last answers', () => {
  expect(lastHeard(watched)).toEqual([]);
});
