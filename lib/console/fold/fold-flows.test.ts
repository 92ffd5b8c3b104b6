import { expect, test } from 'vitest';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { foldFlows } from './fold-flows.ts';
import { mostCharacters, mostFlows } from './kept-flows.ts';
import type { FlowsView } from './view.ts';

const flow = (port: number, bytes = 1) => ({ id: `f${port}`, ...aFlow({ port, bytes: { in: bytes, out: 0 } }) });
const empty: FlowsView = { revision: 1, cluster: 'x', flows: [], gaps: [], stale: null };

test('flows come to the end, one that grew takes the place of the one before, and the oldest leave', () => {
  const one = foldFlows(empty, { event: 'flows', data: { flows: [flow(1), flow(2)] } }, 2);
  const two = foldFlows(one, { event: 'flows', data: { flows: [flow(1, 5)] } }, 3);
  expect(two.flows.map(({ port, bytes }) => [port, bytes.in])).toEqual([
    [2, 1],
    [1, 5],
  ]);
  const many = Array.from({ length: mostFlows }, (_, index) => flow(index + 10));
  const full = foldFlows(two, { event: 'flows', data: { flows: many } }, 4);
  expect(full.flows).toHaveLength(mostFlows);
  expect(full.flows[0]?.port).toBe(10);
});

test('a view is bounded by what its flows hold, too', () => {
  const labels = Array.from({ length: 10 }, () => 'x'.repeat(390));
  const { from } = aFlow();
  const long = Array.from({ length: 1_500 }, (_, port) => ({ ...flow(port), from: { ...from, labels } }));
  const { flows } = foldFlows(empty, { event: 'flows', data: { flows: long } }, 2);
  expect(flows.at(-1)?.port).toBe(1_499);
  expect(flows.length).toBeGreaterThan(500);
  expect(JSON.stringify(flows).length).toBeLessThan(mostCharacters * 1.2);
});

test('what was seen changes nothing, and a problem is over when flows come', () => {
  const problem = { code: 'flows.unreachable', message: 'away', since: '2026-11-23T10:00:00Z', retryable: true };
  const away = foldFlows(empty, { event: 'problem', data: problem }, 2);
  expect(away.stale).toEqual({ since: problem.since, message: 'away' });
  expect(foldFlows(away, { event: 'flows', data: { flows: [flow(1)] } }, 2)).toBe(away);
  expect(foldFlows(away, { event: 'flows', data: { flows: [flow(1)] } }, 3).stale).toBeNull();
});
