import type { V1Lease } from '@kubernetes/client-node';
import {
  type Clock,
  isKubeError,
  type Kube,
  type KubeError,
  type KubeObject,
  leaseOf,
  type Moment,
  momentOf,
  msSince,
  type ObjectToWrite,
} from '#lib/kube/index.ts';
import { holdTimes, names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { holderIdentity, type Identity } from '../state-folder/identity.ts';

/**
 * The Lease makes a run exclusive across consoles (architecture.md › Run). Durations in milliseconds. A holder stops acting 10 s after its last
 * successful renewal, five seconds before anybody else may take the Lease. If somebody deletes the Lease or clears its holder, another process may
 * take it at once; the first one acts on until its next renewal, and the journal then refuses one of the two (`JournalTaken`).
 */
export const leaseTimes = { ...holdTimes, actWithinMs: 10_000 } as const;

export type LeaseTaken = { kind: 'held-by-other'; holder: string; sinceMs: number };

export type HeldLease = {
  /** `leaseTransitions` when it was taken: the high part of event ids. */
  readonly transitions: number;
  /** The expired holder from which this process took the Lease; null if the Lease was free. */
  readonly takenFrom: string | null;
  /** False 10 s after the last renewal, also if the machine slept meanwhile: no act may begin. */
  mayAct(): boolean;
  /** The error with which the API server has refused renewal more than once; null once it is renewed again. */
  refusal(): KubeError | null;
  /** Aborts when another process holds the Lease. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
};

type LeaseState = { holder: string; renewTime: string; transitions: number; resourceVersion: string };

/** The Lease of the runs whose journals are in this namespace. */
export function leaseRef(namespace: string): ObjectRef {
  return { resource: resources.leases, namespace, name: names.lease };
}

/** Holder and last renewal of a Lease. `renewTime` is text of another process: it is compared for equality only. */
export function readLease(object: KubeObject): LeaseState {
  const { metadata, spec } = leaseOf(object);
  return {
    holder: spec.holderIdentity,
    renewTime: spec.renewTime,
    transitions: spec.leaseTransitions ?? 0,
    resourceVersion: metadata.resourceVersion,
  };
}

export type AcquireOptions = {
  kube: Kube;
  clock: Clock;
  namespace: string;
  identity: Identity;
  /** True if this holder is a process of this installation that has ended: the Lease can be taken without waiting. */
  isDead(holder: string): Promise<boolean>;
  /** How long to watch a silent holder before it counts as gone. 0: only look. */
  patienceMs: number;
  signal: AbortSignal;
};

/**
 * Takes the Lease, or says who holds it. A holder has expired when `renewTime` has not changed for long enough on our own monotonic clock; wall
 * clocks are never compared.
 */
export async function acquireLease(options: AcquireOptions): Promise<HeldLease | LeaseTaken> {
  const { kube, clock, namespace, identity, signal } = options;
  const me = holderIdentity(identity);
  const ref = leaseRef(namespace);
  const began = clock.monotonic();
  let seen: { renewTime: string; at: number } | null = null;

  for (;;) {
    const lookedAt = momentOf(clock);
    const object = await kube.get(ref, { signal });
    if (!object) {
      const created = await tryWrite(() =>
        kube.create(resources.leases, leaseObject(namespace, me, 0, clock), { signal }),
      );
      if (created) return keep(options, me, readLease(created), null, lookedAt);
      continue;
    }
    const state = readLease(object);
    if (!seen || seen.renewTime !== state.renewTime) seen = { renewTime: state.renewTime, at: clock.monotonic() };
    const free = state.holder === '' || state.holder === me;
    const silentMs = clock.monotonic() - seen.at;
    if (free || silentMs >= leaseTimes.durationMs || (await options.isDead(state.holder))) {
      const taken = await tryWrite(() =>
        kube.patch(
          ref,
          {
            type: 'merge',
            resourceVersion: state.resourceVersion,
            body: { spec: spec(me, state.transitions + 1, clock) },
          },
          { signal },
        ),
      );
      if (taken) return keep(options, me, readLease(taken), free ? null : state.holder, lookedAt);
      continue;
    }
    // Counts from when this look began: a slow answer must not use up the time for a second look.
    if (lookedAt.monotonic - began >= options.patienceMs)
      return { kind: 'held-by-other', holder: state.holder, sinceMs: silentMs };
    await clock.sleep(1_000, signal);
  }
}

/**
 * Who holds the Lease of another namespace, or null. Watches it until it expires and never takes it. A process takes its own namespace's Lease first
 * and looks at the others afterwards, so that of two processes that start in different namespaces at least one sees the other.
 */
export async function livingLeaseHolder(options: Omit<AcquireOptions, 'patienceMs'>): Promise<LeaseTaken | null> {
  const { kube, clock, namespace, identity, signal } = options;
  const read = async () => {
    const object = await kube.get(leaseRef(namespace), { signal });
    return object ? readLease(object) : null;
  };
  const first = await read();
  if (!first || first.holder === '' || first.holder === holderIdentity(identity)) return null;
  if (await options.isDead(first.holder)) return null;
  const began = clock.monotonic();
  while (clock.monotonic() - began < leaseTimes.durationMs) {
    await clock.sleep(1_000, signal);
    const now = await read();
    if (!now || now.holder === '') return null;
    if (now.renewTime !== first.renewTime)
      return { kind: 'held-by-other', holder: now.holder, sinceMs: clock.monotonic() - began };
  }
  return null;
}

/** Null if another process wrote first. */
async function tryWrite(write: () => Promise<KubeObject>): Promise<KubeObject | null> {
  try {
    return await write();
  } catch (error) {
    if (isKubeError(error, 'conflict', 'already-exists')) return null;
    throw error;
  }
}

function keep(
  { kube, clock, namespace }: AcquireOptions,
  me: string,
  taken: LeaseState,
  takenFrom: string | null,
  since: Moment,
): HeldLease {
  const ref = leaseRef(namespace);
  const stop = new AbortController();
  const lost = new AbortController();
  // Not when the answer came: to others the Lease is as old as what was written.
  let lastSuccess = since;
  let resourceVersion = taken.resourceVersion;
  let refusals: KubeError[] = [];

  const renewed = (startedAt: Moment, { metadata }: KubeObject): void => {
    resourceVersion = metadata.resourceVersion ?? '';
    lastSuccess = startedAt;
    refusals = [];
  };
  const refused = (error: unknown): void => {
    // A namespace that is being deleted refuses every writer, but only until it is gone.
    if (!isKubeError(error, 'forbidden', 'unauthorized', 'credentials') || error.detail.isNamespaceGoing) return;
    refusals = [...refusals, error].slice(-2);
  };

  const renewing = (async () => {
    const call = { signal: stop.signal, timeoutMs: leaseTimes.renewEveryMs };
    while (!stop.signal.aborted) {
      await clock.sleep(leaseTimes.renewEveryMs, stop.signal);
      const startedAt = momentOf(clock);
      try {
        const body = { spec: { renewTime: microTime(clock.now()) } };
        renewed(startedAt, await kube.patch(ref, { type: 'merge', resourceVersion, body }, call));
      } catch (error) {
        refused(error);
        if (!isKubeError(error, 'conflict', 'not-found')) continue;
        const live = await kube.get(ref, { signal: stop.signal }).catch(() => undefined);
        if (live === undefined) continue;
        if (live === null) {
          // Somebody deleted the Lease, or its namespace, which the run restores. The process that creates it first holds it.
          const anew = leaseObject(namespace, me, taken.transitions, clock);
          await kube.create(resources.leases, anew, call).then((made) => renewed(startedAt, made), refused);
        } else if (readLease(live).holder === me) resourceVersion = readLease(live).resourceVersion;
        else return lost.abort(new Error('the Lease is held by another process'));
      }
    }
  })().catch(() => {});

  return {
    transitions: taken.transitions,
    takenFrom,
    mayAct: () => !lost.signal.aborted && msSince(clock, lastSuccess) < leaseTimes.actWithinMs,
    refusal: () => (refusals.length > 1 ? (refusals.at(-1) ?? null) : null),
    lost: lost.signal,
    release: async () => {
      stop.abort(new Error('released'));
      await renewing;
      if (lost.signal.aborted) return;
      // Best effort: a Lease that is not released expires by itself.
      await kube
        .patch(ref, { type: 'merge', resourceVersion, body: { spec: { holderIdentity: null } } }, { timeoutMs: 5_000 })
        .catch(() => {});
    },
  };
}

function leaseObject(namespace: string, holder: string, transitions: number, clock: Clock): ObjectToWrite<V1Lease> {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: names.lease, namespace, labels: { [names.managedByLabel]: names.fieldManager } },
    spec: spec(holder, transitions, clock),
  };
}

function spec(holder: string, transitions: number, clock: Clock) {
  const now = microTime(clock.now());
  return {
    holderIdentity: holder,
    leaseDurationSeconds: leaseTimes.durationMs / 1000,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: transitions,
  };
}

/** MicroTime of the Kubernetes API: RFC 3339 with six decimals. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
}
