import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { notReadYet } from '#lib/node-state/index.ts';
import { type Journal, memoryInFolder, ownIdentity, readRun } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { aConsole, closeConsoles } from '../testing/a-console.ts';
import { askNow, enableOn, okValue, standard, startOn, until, untilDetails, untilRun } from '../testing/a-page.ts';
import { aSharedCluster, awayFor, deadHere, type SharedCluster } from '../testing/shared-cluster.ts';

let shared: SharedCluster | null = null;
afterEach(async () => {
  await closeConsoles();
  await shared?.stage.close();
  shared = null;
});

const atSomeOperation = (finished: number) => (details: { report: { operations: { state: string }[] } }) =>
  details.report.operations.filter(({ state }) => state === 'finished').length >= finished;

test('a console that is stopped leaves its run as it stands, and the next one carries it to its end', async () => {
  const first = await aConsole();
  const { state } = first;
  const run = await startOn(first.host, standard);
  await untilDetails('a step is finished', first.host, standard, run, atSomeOperation(2));
  await first.end();
  expect(await recorded(state)).toEqual([standard]);

  const second = await aConsole({ state });
  expect(okValue(await second.host.run(standard, run))).toMatchObject({
    report: { state: { kind: 'running' } },
    carriedBy: 'nobody',
  });
  await second.recover();
  await untilRun(second.host, standard, run, 'done');
  await until('nothing is recorded any more', async () => (await recorded(state)).length === 0);
});

// That it does not wait for the Lease is shown in lease.test.ts: here the clock runs on while files are read, minutes of it on a busy machine.
test('after a kill the same installation carries on, and journals from whom it took over', async () => {
  shared = await aSharedCluster();
  const { slug } = shared;
  const state = testFolder('recovery');
  const { install } = await ownIdentity(state);
  const first = await shared.console({ state, identity: await deadHere(install) });
  const run = await startOn(first.host, slug);
  await untilDetails('a step is finished', first.host, slug, run, atSomeOperation(2));
  first.kill();

  const second = await shared.console({ state, identity: await ownIdentity(state) });
  await second.recover();
  expect(await entries(run, 'taken-over')).toMatchObject([{ from: expect.stringContaining(install) }]);
  expect((await untilRun(second.host, slug, run, 'done')).report.operations.map((one) => one.state)).not.toContain(
    'begun',
  );
});

test('a process that is killed in the middle loses nothing: the next one finds run and sandbox, and ends what was begun', async () => {
  const state = testFolder('recovery');
  const child = spawn(process.execPath, [join(import.meta.dirname, '../testing/console-process.ts'), state], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const run = String(line).trim();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  child.kill('SIGKILL');
  await ended;

  const next = await aConsole({ state, memory: await memoryInFolder(state) });
  expect(okValue(await next.host.run(standard, run)).report.state.kind).toBe('running');
  await next.recover();
  const { report } = await untilRun(next.host, standard, run, 'done');
  expect(report.happenings.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Taken over by/));
});

test('a console that died before it knew what its click had started finds the draft’s run', async () => {
  const first = await aConsole();
  const { state } = first;
  const { draft, review } = await enableOn(first.host, standard);
  const { hash: planHash, cluster: confirmation } = review.plan;
  const request = { revision: draft.revision, planHash, confirmation };
  const { run } = okValue(await first.host.start(standard, draft.id, request));
  await first.end();
  const file = join(state, 'drafts', `${draft.id}.json`);
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), run: null }));

  const second = await aConsole({ state });
  expect(await second.host.drafts(standard)).toHaveLength(1);
  await second.recover();
  expect(await second.host.drafts(standard)).toEqual([]);
  expect(okValue(await second.host.start(standard, draft.id, request)).run).toBe(run);
});

test('a run that was paused stays paused', async () => {
  const first = await aConsole();
  const { state } = first;
  const run = await startOn(first.host, standard);
  okValue(await askNow(first.host, standard, run, 'pause'));
  await untilRun(first.host, standard, run, 'paused');
  await first.end();
  const second = await aConsole({ state });
  await second.recover();
  expect(okValue(await second.host.run(standard, run)).report.state.kind).toBe('paused');
  okValue(await askNow(second.host, standard, run, 'resume'));
  await untilRun(second.host, standard, run, 'done');
});

test('a cluster that does not answer at the start is asked again until it does', async () => {
  shared = await aSharedCluster();
  const { stage, slug } = shared;
  const state = testFolder('recovery');
  const { install } = await ownIdentity(state);
  const first = await shared.console({ state, identity: await deadHere(install) });
  const run = await startOn(first.host, slug);
  await untilDetails('a step is finished', first.host, slug, run, atSomeOperation(1));
  first.kill();

  let away = true;
  const second = await shared.console({
    state,
    identity: await ownIdentity(state),
    kube: awayFor(stage.ours, () => away),
  });
  const recovered = second.recover();
  await until('it was told', async () => second.logged.some((line) => line.includes('does not continue yet')));
  away = false;
  await recovered;
  await untilRun(second.host, slug, run, 'done');
});

test('a start dials only what the record names', async () => {
  const dialled: string[] = [];
  const console = await aConsole({
    openLive: async ({ name }) => {
      dialled.push(name);
      throw new Error('nobody is to be dialled');
    },
  });
  await console.recover();
  await console.host.clusters();
  expect(dialled).toEqual([]);
});

async function recorded(state: string): Promise<string[]> {
  const text = await readFile(join(state, 'carried.json'), 'utf8');
  return JSON.parse(text).clusters;
}

async function entries<W extends Journal['entries'][number]['what']>(run: string, what: W) {
  const kube = shared?.stage.ours;
  if (!kube) throw new Error('there is no shared cluster');
  const { journal } = await readRun(kube, journalNamespaces, run);
  return journal.entries.filter(
    (entry): entry is Extract<Journal['entries'][number], { what: W }> => entry.what === what,
  );
}

test('what was seen of each node and condition stays with the journal, for whoever comes later', async () => {
  const first = await aConsole();
  const run = await startOn(first.host, standard);
  const before = await untilRun(first.host, standard, run, 'done');
  const summary = ({ view }: typeof before) => ({
    nodes: view.nodes.map(({ name, state, dataplane }) => ({ name, state, dataplane })),
    // Lines of the cluster's watch about logs that it opens do not belong to the run.
    log: [...new Set(view.log.map(({ text }) => text))].filter((text) => !text.includes(notReadYet)).sort(),
  });
  await first.end();
  const second = await aConsole({ state: first.state });
  const after = okValue(await second.host.run(standard, run));
  expect(summary(after)).toEqual(summary(before));
  expect(after.report.nodes.map(({ name, state }) => [name, state])).toEqual(
    before.view.nodes.map(({ name }) => [name, 'proven']),
  );
});
