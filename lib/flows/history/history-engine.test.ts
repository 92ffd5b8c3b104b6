import { expect, test } from 'vitest';
import { aFlowWithId } from '../testing/a-flow.ts';
import { openDuckDb } from './sql/duckdb/open-duckdb.ts';
import { holdsTheContract } from './testing/engine-contract.ts';

// The same contract holds for ClickHouse: e2e/contract/clickhouse.test.ts.
holdsTheContract('DuckDB', () => openDuckDb(null));

test('removes the oldest first where it takes too much', async () => {
  const begin = 1_800_000_000;
  const engine = await openDuckDb(null);
  const flows = [0, 5_000, 10_000].map((later) => ({ flow: aFlowWithId({ start: begin + later }), again: false }));
  await engine.append(flows, { since: begin, until: begin + 10_015 });
  await engine.removeOldest();
  expect(await engine.spans()).toEqual([{ since: begin + 1000, until: begin + 10_015 }]);
  const { flows: left } = await engine.list({ terms: [], since: 0, until: 4_000_000_000 }, 10);
  expect(left).toMatchObject([{ start: begin + 5_000 }]);
  await engine.close();
});
