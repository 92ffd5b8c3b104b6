import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Flow } from '../../../flow.ts';
import { parseQuery } from '../../../query/parse-query.ts';
import { aFlow, aFlowWithId, aHit } from '../../../testing/a-flow.ts';
import { keyHash } from '../../../wire/read-flow.ts';
import { historyTiers } from '../../history-tiers.ts';
import { openDuckDb } from './open-duckdb.ts';

const begin = 1_800_000_000;

async function counts(path: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const rows = await connection.runAndReadAll(
    'SELECT (SELECT count(*) FROM keys)::INT AS keys, (SELECT count(*) FROM ends)::INT AS ends, (SELECT count(*) FROM services)::INT AS services, (SELECT count(*) FROM policies)::INT AS policies',
  );
  connection.closeSync();
  instance.closeSync();
  return rows.getRows().flat();
}

test('names, labels and policies of many flows stand once, also after a restart, and go with the last flow that has them', async () => {
  const path = join(testFolder('open-duckdb'), 'a.duckdb');
  const service = { namespace: 'shop', name: 'ledger', portName: '' };
  const flowAt = (start: number, port: number) => {
    const made = aFlow({ start, port, service });
    return { flow: { ...made, id: `${start.toString(36)}-${keyHash(made)}` }, again: false };
  };
  for (const from of [1, 31]) {
    const engine = await openDuckDb(path);
    await engine.append(
      Array.from({ length: 60 }, (_, index) => flowAt(begin, from + index)),
      null,
    );
    await engine.close();
  }
  expect(await counts(path)).toEqual([90, 2, 1, 1]);
  const engine = await openDuckDb(path);
  await engine.rollUp(begin + 9 * 86_400, historyTiers(7 * 86_400));
  await engine.append([flowAt(begin + 9 * 86_400, 1)], null);
  await engine.close();
  expect(await counts(path)).toEqual([1, 2, 1, 1]);
});

test('nothing of one batch is in the next, which is written from the same memory', async () => {
  const engine = await openDuckDb(null);
  const service = { namespace: 'shop', name: 'ledger', portName: '' };
  const staged = aHit({ kind: 'StagedNetworkPolicy', name: 'staged', action: 'denied' });
  const full = { service, policies: { enforced: [aHit()], pending: [staged] }, protocol: 'A_PROTOCOL_THAT_IS_LONG' };
  const bare = { service: null, policies: { enforced: [], pending: [] }, protocol: 'TCP' };
  const flows = [3_000, 1, 40, 2].flatMap((count, batch) =>
    Array.from({ length: count }, (_, index) =>
      aFlowWithId({ start: begin, port: batch * 5_000 + index, ...((index + batch) % 2 === 0 ? full : bare) }),
    ),
  );
  let from = 0;
  for (const count of [3_000, 1, 40, 2]) {
    const batch = flows.slice(from, from + count);
    await engine.append(
      batch.map((flow) => ({ flow, again: false })),
      null,
    );
    from += count;
  }
  const { flows: found } = await engine.list({ terms: [], since: begin, until: begin + 15 }, 10_000);
  const byPort = (one: Flow, other: Flow) => one.port - other.port;
  expect(found.toSorted(byPort)).toEqual(flows);
  const { flows: stagedOnes } = await engine.list(
    { terms: parseQuery('staged:denied').query.terms, since: begin, until: begin + 15 },
    10_000,
  );
  expect(stagedOnes.map(({ port }) => port).toSorted((one, other) => one - other)).toEqual(
    flows.filter((flow) => flow.service !== null).map(({ port }) => port),
  );
  await engine.close();
});

test('a tier is moved in parts, as if at once', async () => {
  const flows = Array.from({ length: 200 }, (_, index) => {
    const made = aFlow({ start: begin + Math.floor(index / 2) * 15, port: index % 2 });
    return { flow: { ...made, id: `${made.start.toString(36)}-${keyHash(made)}` }, again: false };
  });
  const tiersWith = async (rowsMoved: number) => {
    const engine = await openDuckDb(null, undefined, rowsMoved);
    await engine.append(flows, { since: begin, until: begin + 1500 });
    await engine.rollUp(begin + 3600 + 1200, historyTiers(86_400));
    const minutes = await engine.series({ terms: [], since: begin, until: begin + 1500 }, 15);
    await engine.rollUp(begin + 2 * 86_400 - 600, historyTiers(86_400));
    const left = await engine.series({ terms: [], since: begin, until: begin + 1500 }, 15);
    const spans = await engine.spans();
    await engine.close();
    return { minutes, left, spans };
  };
  const atOnce = await tiersWith(1_000_000);
  expect(atOnce.minutes).toHaveLength(20 + 20);
  expect(atOnce.left).toEqual([]);
  for (const rows of [1, 7, 33]) expect(await tiersWith(rows)).toEqual(atOnce);
});

test('who reads while a tier is moved counts everything once, and while the oldest is removed, less and less', async () => {
  const path = join(testFolder('open-duckdb'), 'a.duckdb');
  const engine = await openDuckDb(path, undefined, 20);
  const all = { terms: [], since: begin, until: begin + 3600 };
  await engine.append(
    Array.from({ length: 400 }, (_, index) => {
      const made = aFlow({ start: begin + Math.floor(index / 2) * 15, port: index % 2 });
      return { flow: { ...made, id: `${made.start.toString(36)}-${keyHash(made)}` }, again: false };
    }),
    { since: begin, until: begin + 3000 },
  );
  const countAllowed = async () => {
    const steps = await engine.series(all, 600);
    const { flows } = await engine.list(all, 10);
    // Between the two queries of a list the oldest flows may be removed, but never a part of a flow.
    expect(flows.every(({ bytes }) => bytes.in % 1000 === 0)).toBe(true);
    return steps.reduce((sum, { allowed }) => sum + allowed, 0);
  };
  const readDuring = async (work: Promise<void>) => {
    const counts: number[] = [];
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    while (!isOver) counts.push(await countAllowed());
    await over;
    return counts;
  };
  const moving = await readDuring(engine.rollUp(begin + 3600 + 3000, historyTiers(7 * 86_400)));
  expect(new Set(moving)).toEqual(new Set([400]));
  const removing = await readDuring(
    (async () => {
      for (let times = 0; times < 3; times++) await engine.removeOldest();
    })(),
  );
  expect(removing).toEqual(removing.toSorted((one, other) => other - one));
  expect(await countAllowed()).toBeLessThan(400);
  await engine.close();
});
