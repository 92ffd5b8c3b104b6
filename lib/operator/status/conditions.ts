import type { Condition } from '../installation/installation.ts';
import type { Release } from '../releases.ts';

/** The facts that decide the three conditions of a TigeraStatus (calico.md §4). */
export type ComponentState = {
  /** A reconcile has succeeded in this process. */
  ready: boolean;
  explicit: { reason: string; message: string } | null;
  progressing: readonly string[];
  failing: readonly string[];
  /** Generation of the tracked CR at the last reconcile. Null: none is reported. */
  generation: number | null;
};

export type WantedCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'> & {
  observedGeneration?: number;
};

const allAvailable = 'All objects available';

/** Conditions Available, Progressing and Degraded, in the order in which the public operator writes them. */
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

/** The conditions of a process that cannot judge yet: Degraded alone. */
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
 * Conditions to store, or null when the wanted ones are there already. A transition time changes only with its status. A condition keeps its place in
 * the list and a new one comes last, as in all recordings (`D`, `DA`, `DAP` in upgrade-3.30.7-to-3.31.4.jsonl).
 */
export function mergedConditions(
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

/** Conditions for Installation.status: those of the TigeraStatus, with Available called Ready (calico.md §2.2). */
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
