import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectSameCluster, lookedThrough } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import {
  continueRun,
  holderIdentity,
  leaseRef,
  listRuns,
  type RunResult,
  readLease,
  readRun,
  sendRequest,
  startRun,
} from '#lib/run/index.ts';
import { journalNamespaces, names } from '#lib/spec/index.ts';
import { type Cable, cable } from './testing/cable.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
let plan: Plan;
let before: KubeObject[];
beforeEach(async () => {
  stage = await openStage({ nodes: 3 });
  before = await stage.contents();
  plan = await stage.plan();
  // Holds every run at its wait for this node until the node is released.
  await stage.hold('worker-1');
});
afterEach(() => stage.close());

/** A run that is in its first wait. */
async function underWay(
  install = 'install-a',
): Promise<{ line: Cable; ended: Promise<RunResult>; run: string; holder: string }> {
  const line = cable(stage.ours, stage.clock);
  const process = stage.process({ kube: line.kube, install });
  const ended = startRun(process, plan);
  await stage.until('the first wait', () =>
    process.events.some(({ event, data }) => event === 'operation' && data.id === 'endpoint.active'),
  );
  const run = (await listRuns(stage.ours, journalNamespaces))[0]?.run ?? '';
  return { line, ended, run, holder: holderIdentity(process.identity) };
}

/** Takes the run over by another installation of Signalbox, which examines it first. */
async function takeOver(run: string): Promise<RunResult> {
  const process = stage.process({ install: 'install-b' });
  return continueRun(process, run, { how: 'resume', confirmed: await lookedThrough(process, run, 'resume') });
}

const theOne = async () => (await listRuns(stage.ours, journalNamespaces))[0]?.run ?? '';

describe('a second process', () => {
  test('is refused while the first renews its Lease, and told who holds it and for which run', async () => {
    const first = await underWay();
    const refused = { kind: 'held', holder: first.holder, run: first.run };
    expect(await startRun(stage.process({ install: 'install-b' }), plan)).toEqual({ refused });
    expect(await continueRun(stage.process(), first.run, { how: 'resume' })).toEqual({ refused });
    await stage.release('worker-1');
    expect(startedRun(await first.ended).outcome).toEqual({ kind: 'done' });
    expect(stage.log.changes).toHaveLength(6);
  });

  test('cannot start another plan while a run has not ended, even when nobody carries it', async () => {
    const first = await underWay();
    await sendRequest(stage.ours, journalNamespaces, first.run, 'pause', 'somebody', stage.clock);
    await first.ended;
    expect(await startRun(stage.process({ install: 'install-b' }), plan)).toEqual({
      refused: { kind: 'unfinished', run: first.run, samePlan: true },
    });
  });
});

describe('another installation', () => {
  test('takes a run over 15 s after its holder fell silent, and the old holder never writes again', async () => {
    const first = await underWay();
    first.line.cut();
    const cutAt = stage.clock.now();
    const second = takeOver(first.run);
    await stage.until('the takeover', async () => {
      const lease = await stage.store.get(leaseRef(names.journalNamespace));
      return lease !== null && readLease(lease).holder.startsWith('install-b/');
    });
    const silent = (stage.clock.now() - cutAt) / 1000;
    expect(silent).toBeGreaterThanOrEqual(10);
    expect(silent).toBeLessThanOrEqual(22);
    first.line.reconnect();
    await stage.release('worker-1');
    expect(startedRun(await second).outcome).toEqual({ kind: 'done' });
    expect(startedRun(await first.ended).outcome).toMatchObject({ kind: 'lost' });
    expect(first.line.writes.filter(({ at, answered }) => answered && at > cutAt)).toEqual([]);
    expect(stage.log.changes).toHaveLength(6);
    const { journal } = await readRun(stage.ours, journalNamespaces, first.run);
    expect(journal.entries.filter(({ what }) => what === 'taken-over')).toEqual([
      expect.objectContaining({ from: first.holder, by: expect.stringContaining('install-b/') }),
    ]);
  });

  test('finds that a holder that cannot renew its Lease stops within 10 s, although everything else answers it', async () => {
    const first = await underWay();
    first.line.cut('leases');
    const cutAt = stage.clock.now();
    await stage.pass(10);
    // The wait ends now, and the process must not begin the next act.
    await stage.release('worker-1');
    await stage.pass(4);
    const acts = first.line.writes.filter(({ at, method }) => at > cutAt && !/Lease|ConfigMap|event/.test(method));
    expect(acts).toEqual([]);
    const second = takeOver(first.run);
    expect(startedRun(await second).outcome).toEqual({ kind: 'done' });
    first.line.reconnect();
    expect(startedRun(await first.ended).outcome).toMatchObject({ kind: 'lost' });
    expect(stage.log.changes).toHaveLength(6);
  });
});

test('the same installation carries on at once when its process is dead', async () => {
  const line = cable(stage.ours, stage.clock);
  const dead = stage.process({ kube: line.kube, to: 'die' });
  void startRun(dead, plan);
  await stage.until('the first wait', () =>
    dead.events.some(({ event, data }) => event === 'operation' && data.id === 'endpoint.active'),
  );
  line.kill();
  const run = await theOne();
  const began = stage.clock.now();
  const process = stage.process();
  const ended = continueRun(process, run, { how: 'resume' });
  await stage.until('the first event', () => process.events.length > 0);
  expect(stage.clock.now() - began).toBeLessThan(1_000);
  await stage.release('worker-1');
  expect(startedRun(await ended).outcome).toEqual({ kind: 'done' });
});

describe('asked by another process, the holder', () => {
  test('pauses in its wait, says what is half-done, and goes on when it is resumed', async () => {
    const { ended, run } = await underWay();
    await sendRequest(stage.ours, journalNamespaces, run, 'pause', 'a colleague', stage.clock);
    expect(startedRun(await ended).outcome).toMatchObject({
      kind: 'paused',
      code: 'asked',
      choices: ['resume', 'undo', 'stop'],
    });
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    expect(journal.state).toMatchObject({
      kind: 'paused',
      meaning: expect.stringContaining('use the new API server address'),
    });
    expect(journal.entries).toContainEqual(
      expect.objectContaining({ what: 'request', request: 'pause by a colleague', answer: 'taken' }),
    );
    await stage.release('worker-1');
    const resumed = await takeOver(run);
    expect(startedRun(resumed).outcome).toEqual({ kind: 'done' });
  });

  test('stops, leaves the cluster as it is, releases the Lease and lists what remains', async () => {
    const { ended, run } = await underWay();
    await sendRequest(stage.ours, journalNamespaces, run, 'stop', 'a colleague', stage.clock);
    const { outcome } = startedRun(await ended);
    expect(outcome).toMatchObject({
      kind: 'stopped',
      remains: expect.arrayContaining([expect.stringContaining('endpoint.configmap')]),
    });
    const lease = await stage.store.get(leaseRef(names.journalNamespace));
    expect(lease && readLease(lease).holder).toBe('');
    expect(stage.log.changes).toHaveLength(1);
  });

  test('turns back, and the cluster is as it was', async () => {
    const { ended, run } = await underWay();
    await sendRequest(stage.ours, journalNamespaces, run, 'undo', 'a colleague', stage.clock);
    await stage.pass(5);
    await stage.release('worker-1');
    expect(startedRun(await ended).outcome).toEqual({ kind: 'undone' });
    await stage.pass(120);
    expectSameCluster(before, await stage.contents());
  });

  test('turns back as well when it is asked right after its last step', async () => {
    await stage.release('worker-1');
    const process = stage.process();
    const last = plan.operations.at(-1)?.id;
    process.onEvent = ({ event, data }) => {
      if (event === 'operation' && data.direction === 'forward' && data.id === last && data.state === 'finished')
        process.control.ask('undo');
    };
    const { run, outcome } = startedRun(await startRun(process, plan));
    // So soon after the run it is unknown whether the agents have read the last setting, so that the undo may pause to ask.
    expect(outcome.kind).not.toBe('done');
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    expect(journal.entries).toContainEqual(expect.objectContaining({ what: 'undo-asked' }));
  });
});

test('told to end by a signal, the process leaves the run for the next one and releases the Lease', async () => {
  const process = stage.process();
  const ended = startRun(process, plan);
  await stage.until('the first wait', () =>
    process.events.some(({ event, data }) => event === 'operation' && data.id === 'endpoint.active'),
  );
  process.end();
  expect(startedRun(await ended).outcome).toEqual({ kind: 'interrupted' });
  const lease = await stage.store.get(leaseRef(names.journalNamespace));
  expect(lease && readLease(lease).holder).toBe('');
  await stage.release('worker-1');
  const next = await takeOver(await theOne());
  expect(startedRun(next).outcome).toEqual({ kind: 'done' });
});
