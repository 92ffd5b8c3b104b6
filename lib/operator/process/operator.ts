import type { Provider } from '#lib/installation/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import type { EndpointMemory } from '../endpoint.ts';
import type { RaceId } from '../races.ts';
import type { Release } from '../releases.ts';
import { type Monitor, type Monitors, reportDegraded } from '../status/monitor.ts';
import type { Writer } from './writer.ts';

/** The pauses of the public operator as recorded, in milliseconds. */
export const pace = {
  /** Between the writes of one reconcile. */
  stepMs: 60,
  /** From the write of the defaults to the first look at the pools for which it waits. */
  poolsMs: 1_500,
  settleMs: 30,
  /**
   * Between computations of TigeraStatus. Available=True stays that long for the generation before (install-enable-rollback-3.31.4.jsonl, t=57.9).
   */
  tickMs: 5_000,
  /** Until the next reconcile: while not available, the first time after workloads were made, and when all is well. */
  unavailableMs: 30_000,
  firstMs: 5_000,
  periodMs: 300_000,
  /** From the start of a new process to its first write (endpoint-configmap-3.31.4.jsonl: t=189.43 to 195.81). */
  restartMs: 6_000,
} as const;

/** What one process of the operator works with. It ends with `signal`, and the next process starts with a new one. */
export type Operator = {
  readonly release: Release;
  readonly lostRaces: ReadonlySet<RaceId>;
  readonly kube: Kube;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly namespace: string;
  readonly provider: Provider;
  readonly endpoint: EndpointMemory;
  readonly monitors: Monitors;
  readonly write: Writer;
  readonly linuxNodes: () => string[];
  random(): number;
  log(line: string, cause?: unknown): void;
};

/** The period ±10 %, so that many operators do not ask at once. */
export function jittered(ms: number, random: () => number): number {
  return ms * (0.9 + 0.2 * random());
}

/** The end of a reconcile that cannot go on: it is reported as Degraded, and looked at again after a while. */
export function leaveDegraded(monitor: Monitor, reason: string, message: string): { inMs: number } {
  reportDegraded(monitor, reason, message);
  return { inMs: pace.unavailableMs };
}
