import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from './testing/calico-cluster.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { holdNode, letNodeGo } from './testing/hold-node.ts';
import { newestRun, runNamed } from './testing/journal.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox, type Running, signalbox, startSignalbox } from './testing/signalbox-process.ts';
import { clusterWrites, inShort, type Wire, wireTo } from './testing/wire.ts';

/**
 * One run and several processes of two installations. One node starts no pods, so that the run waits in its first rollout for as long as the test needs.
 * Each process reaches the API server through its own proxy, which records its writes.
 */
let cluster: CalicoCluster;
let before: readonly KubeObject[];
let wires: { first: Wire; second: Wire };

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 2 });
  before = await contentsOf(cluster.kube);
  wires = { first: await wireTo(cluster.plane, 'first'), second: await wireTo(cluster.plane, 'second') };
});

afterAll(async () => {
  wires?.first.close();
  wires?.second.close();
  await cluster?.stop();
});

const first = () => ({ ...cluster.workplaceOf('first'), kubeconfig: wires.first.kubeconfig });
const second = () => ({ ...cluster.workplaceOf('second'), kubeconfig: wires.second.kubeconfig });
const json = ['-o', 'json'];
const named = ['--cluster-name', 'signalbox-test'];

test('one process carries a run; others are refused, follow it, pause it, take it over when it is silent, and send it back', async () => {
  await holdNode(cluster.plane, 'worker-1');
  const apply = startSignalbox(first(), ['apply', ...readyAnswers(), '--yes', ...json]);
  await waitsForWorker(apply);
  const { journal } = await newestRun(cluster.kube);

  // Refused, and the holder is named; nothing of it was written.
  const refused = await signalbox(second(), ['apply', ...readyAnswers('10.0.0.1:6443'), '--yes']);
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('Another process is carrying out') });
  expect(refused.err).toContain(journal.startedBy);
  expect(clusterWrites(wires.second.writes)).toEqual([]);

  // Followed from elsewhere, and paused from elsewhere.
  const follower = startSignalbox(second(), ['status', '--watch', ...json]);
  await follower.event('what it follows', ({ event, data }) => event === 'snapshot' && data.role === 'follower');
  expect(await signalbox(second(), ['pause'])).toMatchObject({ code: 0, err: expect.stringContaining('pauses') });
  expect(await apply.ended).toMatchObject({ code: 4, err: expect.stringContaining('A pause was requested') });
  expect(await follower.ended).toMatchObject({ code: 0 });
  expect(follower.events().at(-1)?.data).toMatchObject({ state: { kind: 'paused' } });

  // Resumed, then stopped by SIGSTOP: a silent holder is no holder after 15 s.
  const silent = startSignalbox(first(), ['resume', ...json]);
  await waitsForWorker(silent);
  silent.signal('SIGSTOP');
  const silentSince = Date.now();
  const written = wires.first.writes.length;
  const early = await signalbox(second(), ['resume', journal.run]);
  // On a machine that is busy with others the question itself may come too late to be refused.
  if (Date.now() - silentSince < 14_000)
    expect(early).toMatchObject({ code: 4, err: expect.stringContaining('Another process is carrying out') });
  await sleep(16_000);
  const resumed = await signalbox(second(), ['resume', journal.run]);
  expect(resumed).toMatchObject({ code: 2, err: expect.stringContaining('--cluster-name') });
  const heir = startSignalbox(second(), ['resume', journal.run, ...named, ...json]);
  await heir.event('the run', ({ event }) => event === 'snapshot');
  expect(Date.now() - silentSince).toBeGreaterThan(9_000);
  await waitsForWorker(heir);
  silent.signal('SIGCONT');
  expect(await silent.ended).toMatchObject({
    code: 4,
    err: expect.stringContaining('Another process carries out run'),
  });
  // The server refused all later writes of the first process, because the Lease and the journal had changed.
  const late = wires.first.writes.slice(written);
  expect(late.filter(({ status }) => status !== null && status < 300).map(inShort)).toEqual([]);
  // The new holder made a run of its own with a new plan. The old run ended where it was, and records who took it over.
  expect((await runNamed(cluster.kube, journal.run)).journal).toMatchObject({
    state: { kind: 'stopped' },
    entries: expect.arrayContaining([
      expect.objectContaining({ what: 'taken-over', from: expect.stringContaining('/') }),
    ]),
  });

  // Undone by request of a third process; the holder does it.
  expect(await signalbox(first(), ['undo', '--yes'])).toMatchObject({
    code: 0,
    err: expect.stringContaining('undoes it'),
  });
  await letNodeGo(cluster.plane, 'worker-1');
  expect(await heir.ended).toMatchObject({ code: 4, err: expect.stringContaining('was undone') });
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  await mustSignalbox(second(), ['undo', journal.run, ...named]);
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  await comesBackTo(before, () => contentsOf(cluster.kube));
});

test('a run is stopped from another process: the cluster stays as it is, and what was done can be undone still', async () => {
  await holdNode(cluster.plane, 'worker-1');
  const apply = startSignalbox(first(), ['apply', ...readyAnswers(), '--yes', ...json]);
  await waitsForWorker(apply);
  expect(await signalbox(second(), ['stop'])).toMatchObject({ code: 0 });
  expect(await apply.ended).toMatchObject({ code: 4, err: expect.stringContaining('Done so far') });
  await letNodeGo(cluster.plane, 'worker-1');
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  expect((await newestRun(cluster.kube)).journal.state.kind).toBe('stopped');
  expect(await contentsOf(cluster.kube)).not.toEqual(before);
  expect(await signalbox(second(), ['undo', '--yes'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--cluster-name'),
  });
  await mustSignalbox(first(), ['undo', '--yes']);
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  await comesBackTo(before, () => contentsOf(cluster.kube));
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});

async function waitsForWorker(run: Running): Promise<void> {
  await run.event(
    'worker-1 to hold the run up',
    ({ event, data }) => event === 'operation' && data.heldUpBy.some(({ name }) => name === 'worker-1'),
  );
}
