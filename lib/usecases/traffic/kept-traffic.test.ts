import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FlowHistory } from '#lib/flows/index.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { RunMemory } from '#lib/run/index.ts';
import { keptTraffic } from './kept-traffic.ts';

const begun = 1_800_000_000;
const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const ended = { run: 'run-1', startedAt: at(begun), endedAt: at(begun + 60), foreign: null };
const talked = { id: 'a', ...aFlow({ start: begun - 3600, connections: { started: 60, completed: 60, live: 0 } }) };
const denied = { id: 'b', ...aFlow({ start: begun + 90, verdict: 'denied' }) };

/** `until`: the end of what is recorded. */
const aHistory = (until: number, isCut = false): Pick<FlowHistory, 'list' | 'spans' | 'newest'> => ({
  newest: () => until,
  spans: async () => [{ since: begun - 7200, until }],
  list: async ({ since }) => ({
    flows: since !== null && 'at' in since && since.at < begun ? [talked] : [denied],
    isCut,
  }),
});

async function aKeeper() {
  const stateFolder = testFolder('traffic');
  await chmod(stateFolder, 0o700);
  const logged: string[] = [];
  let history: Pick<FlowHistory, 'list' | 'spans' | 'newest'> | null = null;
  const histories = { existing: async () => history as FlowHistory | null };
  const recall = async (run: string) => (run === 'gone' ? null : ({} as Awaited<ReturnType<RunMemory['recall']>>));
  const { of } = keptTraffic({ stateFolder, histories, memory: { recall }, log: (line) => logged.push(line) });
  return {
    folder: join(stateFolder, 'traffic'),
    logged,
    of: (known: typeof history, report: Parameters<typeof of>[1] = ended) => {
      history = known;
      return of('lab-1', report);
    },
  };
}

test('what flows said of a run that ended stays when the history has let it go', async () => {
  const { of, folder } = await aKeeper();
  expect(await of(null)).toBe(null);
  expect(await of(aHistory(begun + 600))).toMatchObject({ pairs: [{ state: 'denied', from: 'shop/checkout' }] });
  expect(await of(null)).toMatchObject({ pairs: [{ state: 'denied' }], secondsSince: 540 });
  const [name = ''] = await readdir(folder);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  // A comparison of more traffic replaces the kept one; no other run gets one.
  await of(aHistory(begun + 1200));
  expect(await of(null)).toMatchObject({ secondsSince: 1140 });
  expect(await of(null, { ...ended, run: 'run-2' })).toBe(null);
});

test('of a run that goes on nothing is kept, and a file that is damaged is no answer', async () => {
  const { of, folder, logged } = await aKeeper();
  expect(await of(aHistory(begun + 600), { ...ended, endedAt: null })).toMatchObject({ talked: 1 });
  expect(await readdir(folder)).toEqual([]);
  await writeFile(join(folder, 'lab-1.run-1.json'), '{');
  expect(await of(null)).toBe(null);
  expect(logged).toEqual([expect.stringContaining('cannot be read')]);
});

test('of a run of others nothing is told or kept: its times are their word', async () => {
  const { of, folder } = await aKeeper();
  expect(await of(aHistory(begun + 600), { ...ended, foreign: 'Nobody here started it.' })).toBe(null);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('a history or a folder that cannot be read is logged, and what the other knows stays', async () => {
  const { of, folder, logged } = await aKeeper();
  await of(aHistory(begun + 600));
  const locked = { ...aHistory(begun + 900), spans: () => Promise.reject(new Error('locked')) };
  expect(await of(locked)).toMatchObject({ secondsSince: 540 });
  await rm(folder, { recursive: true });
  await symlink(testFolder('elsewhere'), folder);
  expect(await of(aHistory(begun + 900))).toMatchObject({ secondsSince: 840 });
  expect(await of(null)).toBe(null);
  expect(logged).toEqual([
    'what flows said of run run-1 cannot be read',
    'what flows said of run run-1 cannot be read',
    'what flows said of run run-1 was not kept',
    'what flows said of run run-1 cannot be read',
  ]);
});

test('a comparison that was cut takes no complete one away, and a complete one its place', async () => {
  const { of } = await aKeeper();
  await of(aHistory(begun + 600));
  expect(await of(aHistory(begun + 6000, true))).toMatchObject({ isCut: false, secondsSince: 540 });
  expect(await of(null)).toMatchObject({ isCut: false, secondsSince: 540 });
  const other = { ...ended, run: 'run-2' };
  await of(aHistory(begun + 600, true), other);
  await of(aHistory(begun + 615), other);
  expect(await of(null, other)).toMatchObject({ isCut: false });
});

test('what is kept of runs that nobody remembers is removed with the next that is kept', async () => {
  const { of, folder } = await aKeeper();
  await mkdir(folder, { mode: 0o700 });
  for (const run of ['gone', 'remembered']) await writeFile(join(folder, `lab-2.${run}.json`), '{}');
  await of(aHistory(begun + 600));
  expect((await readdir(folder)).sort()).toEqual(['lab-1.run-1.json', 'lab-2.remembered.json']);
});
