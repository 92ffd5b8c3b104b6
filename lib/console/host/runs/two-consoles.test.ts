import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { ownIdentity, readRun } from '#lib/run/index.ts';
import { journalNamespaces, names, resources } from '#lib/spec/index.ts';
import { readEvents } from '../../streams/testing/sse-reader.ts';
import { closeConsoles } from '../testing/a-console.ts';
import { askNow, enableOn, failureOf, okValue, startOn, takeUp, untilDetails, untilRun } from '../testing/a-page.ts';
import { aSharedCluster, elsewhere, type SharedCluster } from '../testing/shared-cluster.ts';

let shared: SharedCluster;
beforeEach(async () => {
  shared = await aSharedCluster();
});
afterEach(async () => {
  await closeConsoles();
  await shared.stage.close();
});

const underWay = (details: { report: { operations: { state: string }[] } }) =>
  details.report.operations.some(({ state }) => state === 'finished');

test('a run that another console carries is followed, not taken; its holder is asked for a pause', async () => {
  const { slug } = shared;
  const one = await shared.console({ identity: await ownIdentity(testFolder('two-consoles')) });
  const two = await shared.console({ identity: await ownIdentity(testFolder('two-consoles')) });
  const prepared = await enableOn(two.host, slug);
  const run = await startOn(one.host, slug);
  await untilDetails('it is under way', two.host, slug, run, underWay);

  expect(okValue(await one.host.run(slug, run)).carriedBy).toBe('us');
  expect(okValue(await two.host.run(slug, run)).carriedBy).toBe('other');
  expect(failureOf(await askNow(two.host, slug, run, 'resume')).code).toBe('run.held');
  expect(failureOf(await askNow(two.host, slug, run, 'take-over')).code).toBe('run.held');
  const { draft, review } = prepared;
  const request = { revision: draft.revision, planHash: review.plan.hash, confirmation: review.plan.cluster };
  expect(failureOf(await two.host.start(slug, draft.id, request)).code).toMatch(/^(run\.held|plan\.changed)$/);

  okValue(await askNow(two.host, slug, run, 'pause'));
  const paused = await untilRun(two.host, slug, run, 'paused');
  expect(paused.report.happenings.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^Request pause by .*: taken$/),
  );
  expect(paused.carriedBy).toBe('nobody');

  expect(failureOf(await askNow(two.host, slug, run, 'resume')).code).toBe('run.foreign');
  const next = await takeUp(two.host, slug, run, 'resume');
  expect(okValue(await two.host.run(slug, next)).carriedBy).toBe('us');
  await untilRun(two.host, slug, run, 'stopped');
  await untilRun(two.host, slug, next, 'done');
  // Undone one after the other, each by the console that carried it last, or after an examination.
  expect(failureOf(await askNow(one.host, slug, next, 'undo')).code).toBe('run.foreign');
  okValue(await askNow(two.host, slug, next, 'undo'));
  await untilRun(one.host, slug, next, 'undone');
  await takeUp(one.host, slug, run, 'undo');
  await untilRun(two.host, slug, run, 'undone');
});

test('a console that is gone without a word is taken over from another machine, and the journal says so', async () => {
  const { slug, stage } = shared;
  const one = await shared.console({ identity: elsewhere('install-one') });
  const two = await shared.console({ identity: elsewhere('install-two') });
  const run = await startOn(one.host, slug);
  await untilDetails('it is under way', two.host, slug, run, underWay);
  one.kill();

  const next = await takeUp(two.host, slug, run, 'resume');
  await untilRun(two.host, slug, next, 'done');
  const { journal } = await readRun(stage.ours, journalNamespaces, run);
  expect(journal.entries.filter(({ what }) => what === 'taken-over')).toMatchObject([
    { by: expect.stringContaining('install-two'), from: expect.stringContaining('install-one') },
  ]);
});

test('two contexts of one cluster are one cluster: its run is known under both, and carried once', async () => {
  const { slug, sameAgain } = shared;
  const { host } = await shared.console({ identity: await ownIdentity(testFolder('two-consoles')) });
  const { draft, review } = await enableOn(host, sameAgain);
  const run = await startOn(host, slug);
  await untilDetails('it is under way', host, slug, run, underWay);
  expect(okValue(await host.run(sameAgain, run)).carriedBy).toBe('us');
  expect(failureOf(await askNow(host, sameAgain, run, 'resume')).code).toBe('run.going-on');
  const request = { revision: draft.revision, planHash: review.plan.hash, confirmation: review.plan.cluster };
  expect(failureOf(await host.start(sameAgain, draft.id, request)).code).toMatch(/^(run\.under-way|plan\.changed)$/);
  okValue(await askNow(host, sameAgain, run, 'pause'));
  await untilRun(host, slug, run, 'paused');
  okValue(await askNow(host, sameAgain, run, 'resume'));
  await untilRun(host, slug, run, 'done');
});

test('releases that somebody wrote into a journal stand neither on the dashboard nor in the list of clusters, at first and later', async () => {
  const { slug, stage } = shared;
  const { host } = await shared.console({ identity: await ownIdentity(testFolder('two-consoles')) });
  const forge = async (number: number) => {
    const journal = { ...madeUp, run: `r${number}`, startedAt: `2026-11-23T1${number}:00:00.000Z` };
    await stage.ours.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: `signalbox-run-r${number}`,
        namespace: 'kube-system',
        labels: { [names.runLabel]: `r${number}` },
      },
      data: { 'journal.json': JSON.stringify(journal) },
    });
  };
  await forge(1);
  const reach = await host.reach(slug);
  expect(reach).toMatchObject({ kind: 'reachable', run: { run: 'r1', goal: 'upgrade' } });
  expect(JSON.stringify(reach)).not.toContain('v9.9.9');
  const stop = new AbortController();
  for await (const { data } of readEvents(host.clusterEvents(slug, null, stop.signal))) {
    expect(data).not.toContain('v9.9.9');
    if (data.includes('"r1"')) await forge(2);
    if (data.includes('"r2"')) break;
  }
  stop.abort();
});

/** A finished upgrade, as anybody could write its journal. */
const madeUp = {
  apiVersion: 'signalbox.dev/v1',
  kind: 'Journal',
  goal: 'upgrade',
  upgrade: { from: 'v0.0.1', to: 'v9.9.9', hops: 3 },
  cluster: 'standard',
  planHash: 'x',
  startedBy: 'somebody',
  state: { kind: 'done' },
  accepted: [],
  entries: [],
};
