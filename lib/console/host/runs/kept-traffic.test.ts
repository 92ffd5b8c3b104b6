import { chmod, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FlowHistory } from '#lib/flows/index.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { keptTraffic } from './kept-traffic.ts';

const begun = 1_800_000_000;
const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const ended = { run: 'run-1', startedAt: at(begun), endedAt: at(begun + 60) };
const talked = { id: 'a', ...aFlow({ start: begun - 3600, connections: { started: 60, completed: 60, live: 0 } }) };
const denied = { id: 'b', ...aFlow({ start: begun + 90, verdict: 'denied' }) };

/** `until`: what is recorded by now. */
const aHistory = (until: number): Pick<FlowHistory, 'list' | 'spans' | 'newest'> => ({
  newest: () => until,
  spans: async () => [{ since: begun - 7200, until }],
  list: async ({ since }) => ({
    flows: since !== null && 'at' in since && since.at < begun ? [talked] : [denied],
    isCut: false,
  }),
});

async function aKeeper() {
  const stateFolder = await mkdtemp(join(tmpdir(), 'traffic-'));
  await chmod(stateFolder, 0o700);
  const logged: string[] = [];
  let history: Pick<FlowHistory, 'list' | 'spans' | 'newest'> | null = null;
  const histories = { kept: async () => history as FlowHistory | null };
  const { of } = keptTraffic({ stateFolder, histories, log: (line) => logged.push(line) });
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
  // What it has seen since is more, and kept; of another run nothing is.
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
