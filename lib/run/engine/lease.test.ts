import { expect, test } from 'vitest';
import { createStore, instantClock, KubeError, type Store } from '#lib/kube/index.ts';
import { acquireLease, type HeldLease, type LeaseTaken, leaseRef, leaseTimes, readLease } from './lease.ts';

const never = new AbortController().signal;

function aCluster(): { kube: Store; clock: ReturnType<typeof instantClock> } {
  const clock = instantClock();
  return { clock, kube: createStore({ name: 'test', source: 'sandbox', clock }) };
}

function as(
  cluster: ReturnType<typeof aCluster>,
  process: string,
  more: { install?: string; isDead?: boolean; patienceMs?: number } = {},
) {
  return acquireLease({
    ...cluster,
    namespace: 'kube-system',
    identity: { install: more.install ?? process, process },
    isDead: async () => more.isDead ?? false,
    patienceMs: more.patienceMs ?? leaseTimes.durationMs + 1_000,
    signal: never,
  });
}

function held(lease: HeldLease | LeaseTaken): HeldLease {
  if ('kind' in lease) throw new Error('the Lease was not taken');
  return lease;
}

test('the first to come takes the Lease and renews it while others are told who holds it', async () => {
  const cluster = aCluster();
  const first = held(await as(cluster, 'one'));
  const second = await as(cluster, 'two');
  expect(second).toMatchObject({ kind: 'held-by-other', holder: 'one/one' });
  expect(first.mayAct()).toBe(true);
  await first.release();
});

test('a released Lease is free at once', async () => {
  const cluster = aCluster();
  await held(await as(cluster, 'one')).release();
  const second = held(await as(cluster, 'two', { patienceMs: 0 }));
  expect(second.takenFrom).toBeNull();
  await second.release();
});

test('a holder that has gone silent for 15 s on our own clock is taken over, whatever its renewTime says', async () => {
  const cluster = aCluster();
  await cluster.kube.create(leaseRef('x').resource, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'signalbox', namespace: 'kube-system' },
    // A holder whose clock is years ahead must not keep the Lease for years.
    spec: {
      holderIdentity: 'gone/1@1',
      leaseDurationSeconds: 15,
      renewTime: '2099-01-01T00:00:00.000000Z',
      leaseTransitions: 4,
    },
  });
  const began = cluster.clock.monotonic();
  const lease = held(await as(cluster, 'two'));
  expect(cluster.clock.monotonic() - began).toBeGreaterThanOrEqual(leaseTimes.durationMs);
  expect(lease).toMatchObject({ takenFrom: 'gone/1@1', transitions: 5 });
  await lease.release();
});

test('the same installation does not wait for its own dead process', async () => {
  const cluster = aCluster();
  const first = held(await as(cluster, '1@1', { install: 'here' }));
  const began = cluster.clock.monotonic();
  const second = held(await as(cluster, '2@2', { install: 'here', isDead: true }));
  expect(cluster.clock.monotonic() - began).toBe(0);
  expect(second.takenFrom).toBe('here/1@1');
  await second.release();
  await first.release();
});

test('a holder that was taken over sees it at its next renewal and may not act any more', async () => {
  const cluster = aCluster();
  const first = held(await as(cluster, 'one'));
  const second = held(await as(cluster, 'two', { isDead: true }));
  await cluster.clock.sleep(leaseTimes.renewEveryMs * 2);
  expect(first.lost.aborted).toBe(true);
  expect(first.mayAct()).toBe(false);
  const object = await cluster.kube.get(leaseRef('kube-system'));
  expect(object && readLease(object).holder).toBe('two/two');
  await second.release();
});

test('a holder whose machine slept may not act before it has renewed: another process may have taken over meanwhile', async () => {
  const { kube, clock } = aCluster();
  let sleptMs = 0;
  // The monotonic clock stands still while a machine sleeps.
  const own = { ...clock, now: () => clock.now() + sleptMs };
  const lease = held(await as({ kube, clock: own }, 'one'));
  sleptMs = 3_600_000;
  expect(lease.mayAct()).toBe(false);
  await clock.sleep(leaseTimes.renewEveryMs + 1_000);
  expect(lease.mayAct()).toBe(true);
  // A clock that is set back makes no Lease younger, nor older.
  sleptMs = 0;
  expect(lease.mayAct()).toBe(true);
  await lease.release();
});

test('a Lease whose taking was answered late is as old as its taking', async () => {
  const cluster = aCluster();
  const putBack = cluster.kube.intercept(async (call, proceed) => {
    await proceed();
    if (call.verb === 'create') await cluster.clock.sleep(leaseTimes.actWithinMs + 1);
  });
  const lease = held(await as(cluster, 'one'));
  putBack();
  expect(lease.mayAct()).toBe(false);
  await cluster.clock.sleep(leaseTimes.renewEveryMs + 1_000);
  expect(lease.mayAct()).toBe(true);
  await lease.release();
});

test('a holder that cannot renew stops acting 10 s after its last success, before anybody may take over', async () => {
  const cluster = aCluster();
  const lease = held(await as(cluster, 'one'));
  const putBack = cluster.kube.intercept(async () => {
    throw new KubeError('unreachable', 'The API server is away.');
  });
  await cluster.clock.sleep(leaseTimes.actWithinMs + leaseTimes.renewEveryMs);
  expect(lease.mayAct()).toBe(false);
  expect(lease.lost.aborted).toBe(false);
  putBack();
  await lease.release();
});
