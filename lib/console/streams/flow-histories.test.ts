import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore, type Kube, KubeError } from '#lib/kube/index.ts';
import { type FlowHistories, flowHistories, type HistorySettings, usualHistory } from './flow-histories.ts';

const opened: FlowHistories[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

/** A cluster with this UID of kube-system; `refused`: it may not be read. */
function aClusterOf(uid: string | KubeError): Kube {
  const metadata = { name: 'kube-system', uid: String(uid) };
  const get = async () => {
    if (uid instanceof KubeError) throw uid;
    return { apiVersion: 'v1', kind: 'Namespace', metadata };
  };
  return { ...createStore({ name: 'default', source: 'sandbox' }), get };
}

async function historiesOf(options: { state?: string; kube: Kube; settings?: HistorySettings; logged?: string[] }) {
  const state = options.state ?? testFolder('flow-histories');
  const reached = { kube: options.kube };
  const histories = flowHistories({
    stateFolder: state,
    settings: options.settings === undefined ? usualHistory : options.settings,
    isSandbox: async () => false,
    using: (_slug, work) => work(reached),
    log: (line) => options.logged?.push(line),
  });
  opened.push(histories);
  return { histories, state, reached, folder: join(state, 'flows') };
}

test('clusters that share the name of their context share no flows, and each finds its own again', async () => {
  const { histories, reached } = await historiesOf({ kube: aClusterOf('one') });
  const one = await histories.of('default');
  await one?.take({ type: 'flow', flow: { id: 'x', ...aFlow({ start: Math.floor(Date.now() / 1000) - 60 }) } });
  await one?.flush();
  reached.kube = aClusterOf('other');
  const other = await histories.of('default');
  expect(await histories.uidOf('default')).toBe('other');
  expect(await other?.spans()).toEqual([]);
  // Followers identify the cluster by their own connection.
  expect(await histories.of('default', aClusterOf('one'))).toBe(one);
  expect(await one?.spans()).toHaveLength(1);
});

test('a cluster that does not answer is the one that it was', async () => {
  const { histories, reached } = await historiesOf({ kube: aClusterOf('one') });
  const known = await histories.of('default');
  reached.kube = aClusterOf(new KubeError('unreachable', 'It does not answer.'));
  expect(await histories.of('default')).toBe(known);
  await expect(histories.of('another')).rejects.toThrow('It does not answer.');
});

test('where the cluster cannot be told from others its flows are kept in memory alone, and that is said', async () => {
  const { histories, folder } = await historiesOf({
    kube: aClusterOf(new KubeError('forbidden', 'It may not be read.')),
  });
  const history = await histories.of('default');
  expect(history?.state()).toEqual({ isRecording: false, note: expect.stringContaining('only in memory') });
  expect(await histories.isKept('default')).toBe(false);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('files of histories that nobody opens any more are removed when they are too old', async () => {
  const { state, folder } = await historiesOf({ kube: aClusterOf('one'), settings: null });
  await mkdir(folder, { mode: 0o700 });
  const old = (Date.now() - 8 * 86_400_000) / 1000;
  for (const name of ['a.duckdb', 'a.duckdb.wal', 'b.duckdb', 'b.duckdb.wal', 'c.duckdb.damaged', 'other']) {
    await writeFile(join(folder, name), '');
    if (name !== 'b.duckdb.wal') await utimes(join(folder, name), old, old);
  }
  const { histories } = await historiesOf({ state, kube: aClusterOf('one') });
  await histories.of('x');
  expect((await readdir(folder)).filter((name) => !name.startsWith('x-')).sort()).toEqual([
    'b.duckdb',
    'b.duckdb.wal',
    'other',
  ]);
});

test('with no history any more it is said where files of earlier ones stay', async () => {
  const { state, folder, histories: none } = await historiesOf({ kube: aClusterOf('one'), settings: null });
  expect(await none.leftIn()).toBeNull();
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, 'a.duckdb'), '');
  const logged: string[] = [];
  const { histories } = await historiesOf({ state, kube: aClusterOf('one'), settings: null, logged });
  expect(await histories.leftIn()).toBe(folder);
  await expect.poll(() => logged).toEqual([expect.stringContaining(`stay in ${folder}`)]);
  expect(await readdir(folder)).toEqual(['a.duckdb']);
});

test('who only looks at what is kept begins nothing, and finds what an earlier process kept', async () => {
  const kube = aClusterOf('one');
  const { histories, folder, state } = await historiesOf({ kube });
  expect(await histories.existing('default')).toBeNull();
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
  const begun = await histories.of('default');
  expect(await histories.existing('default')).toBe(begun);
  await histories.close();
  const { histories: later } = await historiesOf({ kube, state });
  expect(await later.existing('default')).not.toBeNull();
  expect(await later.existing('another')).toBeNull();
});
