import type { Provider } from '#lib/installation/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import type { EndpointMemory } from '../endpoint.ts';
import type { Quirks } from '../quirks.ts';
import type { EmulatedOperator, Release } from '../releases.ts';
import type { Monitors } from '../status/monitor.ts';
import type { Writer } from './writer.ts';

export type Pace = {
  /** Between the writes of one reconcile. */
  stepMs: number;
  /** From the default write-back to the first look at the pools it waits for. */
  poolsMs: number;
  settleMs: number;
  /** The same for the status, whose words change with every pod. */
  statusSettleMs: number;
  /** TigeraStatus is recomputed this often. */
  tickMs: number;
  /** Requeue while not available; the first time after workloads were made; when all is well. */
  unavailableMs: number;
  firstMs: number;
  periodMs: number;
  /** A new process needs this long until its first write (endpoint-configmap-3.31.4.jsonl: t=189.43 to 195.81). */
  restartMs: number;
};

/** What one process of the operator works with. It ends with `signal`; the next process starts with a new one. */
export type Operator = {
  readonly like: EmulatedOperator;
  readonly release: Release;
  readonly quirks: Quirks;
  readonly kube: Kube;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly pace: Pace;
  readonly namespace: string;
  readonly provider: Provider;
  readonly endpoint: EndpointMemory;
  readonly monitors: Monitors;
  readonly write: Writer;
  readonly linuxNodes: () => string[];
  random(): number;
  log(line: string, cause?: unknown): void;
};

/** Ours reacts to events; the pauses of the public one are those of the recordings. */
export function paceOf(like: EmulatedOperator): Pace {
  const common = { tickMs: 5_000, periodMs: 300_000 };
  return like === 'signalbox'
    ? {
        ...common,
        stepMs: 0,
        poolsMs: 500,
        settleMs: 20,
        statusSettleMs: 200,
        unavailableMs: 10_000,
        firstMs: 10_000,
        restartMs: 0,
      }
    : {
        ...common,
        stepMs: 60,
        poolsMs: 1_500,
        settleMs: 30,
        statusSettleMs: 0,
        unavailableMs: 30_000,
        firstMs: 5_000,
        restartMs: 6_000,
      };
}

/** Full period ±10 %, so that a fleet does not ask at once. */
export function jittered(ms: number, random: () => number): number {
  return ms * (0.9 + 0.2 * random());
}
