import { expect, test } from 'vitest';
import { Aggregator } from '../aggregator/aggregator.ts';
import { goldmaneQuirks } from '../aggregator/quirks.ts';
import type { TimeRange } from '../flow.ts';
import { everyFlow } from '../flow-filter.ts';
import { aFlow } from '../testing/a-flow.ts';
import { allPages } from './pages.ts';

/** Flows of many buckets; between two pages time passes and more flows are reported. */
function aBusyAggregator() {
  const time = { now: 1_800_000_000 };
  const aggregator = new Aggregator(() => time.now, goldmaneQuirks);
  const add = (port: number, ago: number) => aggregator.add(aFlow({ start: time.now - ago, port }));
  for (let port = 0; port < 100; port++)
    for (const ago of [port % 2 ? 3_500 : 880, 40 * (port % 20), 0]) if (port > 0 || ago > 0) add(port, ago);
  const ask = async (range: TimeRange, page: number) => {
    const found = aggregator.list(range, everyFlow, 0);
    time.now += 5;
    add(1_000 + page, 0);
    add(99 - page, 0);
    return {
      pages: Math.ceil(found.length / 10),
      flows: found.slice(page * 10, page * 10 + 10).map(({ flow }) => ({ id: `${flow.start}-${flow.port}`, ...flow })),
    };
  };
  return { ask, time };
}

test.each([
  { gte: -900, lt: 0 },
  { gte: 0, lt: 0 },
  { gte: 1_800_000_000 - 900, lt: 0 },
  { gte: -900, lt: -15 },
])('a list from $gte to $lt tells each flow once, however time goes by', async (range) => {
  const { ask } = aBusyAggregator();
  const ports = (await allPages(range, ask)).map(({ port }) => port).filter((port) => port < 1_000);
  expect(ports).toHaveLength(new Set(ports).size);
  expect(new Set(ports).size).toBe(100);
});

test('an aggregator that tells without end is not listened to', async () => {
  const endless = async () => ({ pages: Number.MAX_SAFE_INTEGER, flows: [{ id: 'x', ...aFlow() }] });
  await expect(allPages({ gte: 0, lt: 0 }, endless)).rejects.toMatchObject({ code: 'refused' });
  const big = async (_: TimeRange, page: number) => ({ pages: 1_000, flows: [{ id: 'x', ...aFlow({ port: page }) }] });
  await expect(allPages({ gte: 0, lt: 0 }, big, 100_000)).rejects.toMatchObject({ code: 'refused' });
});
