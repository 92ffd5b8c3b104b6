import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AProcess, expectSameCluster } from '#e2e/journey/index.ts';
import { type Call, KubeError, type KubeErrorCode, type KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { continueRun, leaseRef, startRun } from '#lib/run/index.ts';
import { names } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
let before: KubeObject[];
let plan: Plan;
/** The changes of an undisturbed run, one for each object. */
let changes: string[];

beforeAll(async () => {
  const calm = await openStage({ nodes: 2 });
  plan = await calm.plan();
  startedRun(await startRun(calm.process(), plan));
  changes = calm.log.changes.map(({ object, body }) => `${object} ${body}`);
  await calm.close();
});
beforeEach(async () => {
  stage = await openStage({ nodes: 2 });
  before = await stage.contents();
});
afterEach(() => stage.close());

const isOurs = (call: Call) => call.user === 'signalbox';
const writes = (call: Call) => ['create', 'patch', 'update', 'delete'].includes(call.verb);
/** How often the process reported that the cluster answers again. */
const returns = (process: AProcess) =>
  process.events.filter(({ event, data }) => event === 'log' && data.message === 'The cluster answers again.');
const changesSoFar = () => stage.log.changes.map(({ object, body }) => `${object} ${body}`);

/** Makes the API server unreachable for 20 s, for Signalbox, the operator and the nodes. */
function leaveNow(): void {
  const backAt = stage.clock.now() + 20_000;
  const stop = stage.store.intercept(async (_call, proceed) => {
    if (stage.clock.now() < backAt) throw new KubeError('unreachable', 'connect ECONNREFUSED 10.0.0.11:6443');
    stop();
    await proceed();
  });
}

describe('the API server is away for 20 s', () => {
  const waits = [
    'endpoint.active',
    'endpoint.restart-operator',
    'bpf.active',
    'proxy.disable.daemonset',
    'verify.pods',
  ];

  test.each(waits)('during %s: the run is kept, says so once, and goes on', async (id) => {
    const process = stage.process();
    let away = false;
    process.onEvent = (event) => {
      process.events.push(event);
      if (away || event.event !== 'operation' || event.data.id !== id || event.data.state !== 'acted') return;
      away = true;
      leaveNow();
    };
    expect(startedRun(await startRun(process, plan)).outcome).toEqual({ kind: 'done' });
    expect(away).toBe(true);
    const problems = process.events.filter(({ event }) => event === 'problem');
    expect(problems.map(({ data }) => data)).toEqual([expect.objectContaining({ code: 'cluster.unreachable' })]);
    expect(returns(process)).toHaveLength(1);
    expect(changesSoFar()).toEqual(changes);
  });

  test('when the switch has been made and its answer is lost: it is not made twice', async () => {
    let away = false;
    stage.store.intercept(async (call, proceed) => {
      await proceed();
      if (away || !isOurs(call) || call.resource !== 'installations' || !writes(call)) return;
      away = true;
      leaveNow();
      throw new KubeError('unreachable', 'read ECONNRESET');
    });
    const process = stage.process();
    const { run, outcome } = startedRun(await startRun(process, plan));
    expect(outcome).toEqual({ kind: 'done' });
    expect(process.events.filter(({ event }) => event === 'problem')).toHaveLength(1);
    expect(returns(process)).toHaveLength(1);
    expect(changesSoFar()).toEqual(changes);
    const patches = stage.log.writes.filter(({ resource }) => resource === 'installations');
    expect(patches).toHaveLength(1);
    await stage.pass(30);
    expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
    await stage.pass(120);
    expectSameCluster(before, await stage.contents());
  });
});

test('a read that takes longer than the Lease holds is followed by no write before the Lease is renewed', async () => {
  const process = stage.process();
  let renewedAt = stage.clock.now();
  let isCut = false;
  let wasRead = false;
  const ages: number[] = [];
  const hasBegun = () => process.events.some(({ event, data }) => event === 'operation' && data.id === 'switch.bpf');
  stage.store.intercept(async (call, proceed) => {
    if (isOurs(call) && call.resource === 'leases' && writes(call)) {
      if (isCut) throw new KubeError('unreachable', 'read ECONNRESET');
      renewedAt = stage.clock.now();
    }
    if (isOurs(call) && call.resource === 'installations') {
      if (call.verb === 'get' && hasBegun() && !wasRead) {
        wasRead = true;
        isCut = true;
        await stage.clock.sleep(12_000);
        isCut = false;
      }
      if (writes(call)) ages.push(stage.clock.now() - renewedAt);
    }
    await proceed();
  });
  expect(startedRun(await startRun(process, plan)).outcome).toEqual({ kind: 'done' });
  expect(wasRead).toBe(true);
  expect(ages).toHaveLength(1);
  expect(Math.max(...ages)).toBeLessThan(10_000);
  expect(changesSoFar()).toEqual(changes);
});

test('a write that is on its way when another process takes the run over is given up', async () => {
  let takenAt: number | null = null;
  stage.store.intercept(async (call, proceed) => {
    if (takenAt === null && isOurs(call) && call.resource === 'installations' && writes(call)) {
      takenAt = stage.clock.now();
      const body = { spec: { holderIdentity: 'install-b/1@1' } };
      await stage.store.patch(leaseRef(names.journalNamespace), { type: 'merge', body });
      await stage.clock.sleep(300_000);
    }
    await proceed();
  });
  expect(startedRun(await startRun(stage.process(), plan)).outcome).toMatchObject({ kind: 'lost' });
  expect(stage.clock.now() - (takenAt ?? 0)).toBeLessThan(10_000);
});

let calm: () => void = () => undefined;

/** A process about one in five of whose calls fails, before or after it was carried out; the same ones in every run of the test. */
function storm(codes: readonly KubeErrorCode[], hits: (call: Call) => boolean): AProcess {
  const process = stage.process();
  // Fails calls only once the run has begun: before that, an error ends the command and nothing has changed.
  const isLoose = () => process.events.length > 0;
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  calm = stage.store.intercept(async (call, proceed) => {
    const fails = isLoose() && isOurs(call) && hits(call) && next() < 0.2;
    const early = next() < 0.5;
    if (!fails || !early) await proceed();
    if (!fails) return;
    const code = codes[Math.floor(next() * codes.length)] ?? 'server';
    throw new KubeError(code, `a storm: ${code}`, code === 'too-many-requests' ? { retryAfterMs: 1_000 } : {});
  });
  return process;
}

describe('a storm of errors', () => {
  test.each([
    ['5xx', ['server']],
    ['429', ['too-many-requests']],
    ['time-outs', ['timeout']],
    ['all of them', ['server', 'too-many-requests', 'timeout', 'unreachable']],
  ] as const)('of %s: everything is done once and undone exactly', async (_name, codes) => {
    const { run, outcome } = startedRun(
      await startRun(
        storm(codes, () => true),
        plan,
      ),
    );
    expect(outcome).toEqual({ kind: 'done' });
    expect(changesSoFar()).toEqual(changes);
    await stage.pass(30);
    calm();
    const undone = await continueRun(
      storm(codes, () => true),
      run,
      { how: 'undo' },
    );
    expect(startedRun(undone).outcome).toEqual({ kind: 'undone' });
    await stage.pass(120);
    expectSameCluster(before, await stage.contents());
  });

  test('of 409 from writers that were faster: the write is made again, not given up', async () => {
    const process = storm(['conflict'], (call) => writes(call) && call.resource !== 'leases');
    expect(startedRun(await startRun(process, plan)).outcome).toEqual({ kind: 'done' });
    expect(changesSoFar()).toEqual(changes);
  });
});

test('a run watches nothing: what closes watches cannot blind it', async () => {
  const watched: Call[] = [];
  stage.store.intercept(async (call, proceed) => {
    if (isOurs(call) && call.verb === 'watch') watched.push(call);
    await proceed();
  });
  expect(startedRun(await startRun(stage.process(), plan)).outcome).toEqual({ kind: 'done' });
  expect(watched).toEqual([]);
});
