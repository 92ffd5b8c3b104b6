import type { Condition } from '../installation/installation.ts';
import type { Release } from '../releases.ts';

/** What decides the three conditions of a TigeraStatus (calico.md §4). */
export type ComponentState = {
  /** A reconcile came to its end in this process. */
  ready: boolean;
  explicit: { reason: string; message: string } | null;
  progressing: readonly string[];
  failing: readonly string[];
  /** Of the tracked CR at the last reconcile; null where none is reported. */
  generation: number | null;
};

export type WantedCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'> & {
  observedGeneration?: number;
};

const allAvailable = 'All objects available';

/** Available, Progressing, Degraded, in the order in which the public operator writes them. */
export function conditionsOf(state: ComponentState, release: Release): WantedCondition[] {
  const { ready, explicit, progressing, failing, generation } = state;
  const available = ready && !explicit && progressing.length === 0 && failing.length === 0;
  const observed = generation === null ? {} : { observedGeneration: generation };
  const well = { status: 'False', reason: 'AllObjectsAvailable', message: release.allWell };
  const nothing = { status: 'False', reason: 'Unknown', message: '' };
  const moving = progressing.length > 0 && failing.length === 0;

  const why = explicit ?? (failing.length > 0 ? { reason: 'PodFailure', message: failing.join('\n') } : null);
  return [
    {
      type: 'Available',
      ...observed,
      ...(available ? { status: 'True', reason: 'AllObjectsAvailable', message: allAvailable } : nothing),
    },
    {
      type: 'Progressing',
      ...observed,
      ...(moving
        ? { status: 'True', reason: 'ResourceNotReady', message: progressing.join('\n') }
        : available
          ? well
          : nothing),
    },
    { type: 'Degraded', ...observed, ...(why ? { status: 'True', ...why } : available ? well : nothing) },
  ];
}

/** What a process says that is not ready to judge: nothing, or that nothing is known to be wrong. */
export function quietConditions(state: ComponentState, release: Release): WantedCondition[] {
  return conditionsOf(state, release).filter((condition) => condition.type === 'Degraded');
}

const sameCondition = (a: Condition | undefined, b: WantedCondition) =>
  a !== undefined &&
  a.status === b.status &&
  (a.reason ?? '') === (b.reason ?? '') &&
  (a.message ?? '') === (b.message ?? '') &&
  (a.observedGeneration ?? null) === (b.observedGeneration ?? null);

/**
 * Conditions to store, or null when the wanted ones are there already. Time moves only where the status does; a condition keeps its place in
 * the list, and a new one comes last, as in every recording (`D`, `DA`, `DAP` in upgrade-3.30.7-to-3.31.4.jsonl, and never another order after).
 */
export function merged(
  live: readonly Condition[],
  wanted: readonly WantedCondition[],
  now: string,
): Condition[] | null {
  if (
    wanted.every((one) =>
      sameCondition(
        live.find((other) => other.type === one.type),
        one,
      ),
    )
  )
    return null;
  const dated = (one: WantedCondition): Condition => {
    const before = live.find((other) => other.type === one.type);
    return {
      ...one,
      lastTransitionTime: before?.status === one.status && before.lastTransitionTime ? before.lastTransitionTime : now,
    };
  };
  const replaced = live.map((one) => {
    const next = wanted.find((other) => other.type === one.type);
    return next ? dated(next) : one;
  });
  const added = wanted.filter((one) => !live.some((other) => other.type === one.type)).map(dated);
  return [...replaced, ...added];
}

/** Installation.status.conditions: the same, with Available called Ready (calico.md §2.2). */
export function forInstallation(conditions: readonly Condition[]): WantedCondition[] {
  return ['Available', 'Progressing', 'Degraded'].flatMap((type) => {
    const found = conditions.find((one) => one.type === type);
    if (!found) return [];
    const { status, reason, message, observedGeneration } = found;
    return [
      {
        type: type === 'Available' ? 'Ready' : type,
        status,
        reason: reason ?? 'Unknown',
        message: message ?? '',
        ...(observedGeneration === undefined ? {} : { observedGeneration }),
      },
    ];
  });
}
