import type { NodeState, OperationLine, RunEvent, RunState, RunSummary } from '#lib/run/index.ts';
import type { ClusterStatus, ComponentStatus } from '#lib/status/index.ts';

/**
 * What crosses to the browser: the two views, and the events that change them (architecture.md › Streams). Types only: both sides are of one build,
 * and the server makes every event. A view is a snapshot with all events up to `revision` folded in; `fold-*.ts` is used on both sides, so that a
 * page that followed and a page that was just loaded show the same.
 */
export type ClusterView = {
  /** Id of the last event that is folded in. */
  revision: number;
  cluster: string;
  observedAt: string;
  kubernetes: string | null;
  status: ClusterStatus;
  nodes: NodeLine[];
  /** The run that has not ended, else the newest. */
  run: RunSummary | null;
  /** Since when the API server has not answered; the rest is as it was then. */
  stale: { since: string; message: string } | null;
};

/** A node on one of the two tracks. */
export type NodeLine = {
  name: string;
  /** `bpf` only where it was seen. `moving`: its agent is being replaced. `fell-back`: the agent says that it cannot. `unknown`: nothing tells. */
  plane: 'standard' | 'bpf' | 'moving' | 'fell-back' | 'unknown' | 'not-counted';
  ready: boolean;
  /** A phrase: what was seen, or why it is not known. */
  because: string;
};

export type ClusterEvent =
  | { event: 'snapshot'; data: ClusterView }
  | { event: 'node'; data: { changed: NodeLine[]; gone: string[] } }
  | { event: 'condition'; data: { status: Omit<ClusterStatus, 'components'>; components: ComponentStatus[] } }
  | { event: 'operation'; data: { run: RunSummary | null } }
  | { event: 'problem'; data: { code: string; message: string; since: string; retryable: boolean } }
  | { event: 'heartbeat'; data: { at: string } };

/** A run as its page shows it. */
export type RunView = {
  /** Id of the last event that is folded in. */
  revision: number;
  run: string;
  cluster: string;
  goal: string;
  role: 'holder' | 'follower';
  state: RunState;
  startedAt: string;
  operations: RunLine[];
  /** What is under way; null while nothing is. */
  now: Extract<RunEvent, { event: 'operation' }>['data'] | null;
  nodes: NodeState[];
  /** Oldest first; the last 500. */
  log: LogLine[];
  problem: Extract<RunEvent, { event: 'problem' }>['data'] | null;
};

export type RunLine = OperationLine & { begunAt: string | null; finishedAt: string | null; note: string | null };

export type LogLine = {
  id: number;
  at: string;
  state: 'ok' | 'now' | 'warn' | 'bad' | 'unknown' | 'plain';
  text: string;
};

/** The wire event of a run: a whole view, or one of the executor's own events. */
export type RunStreamEvent =
  | { event: 'snapshot'; data: RunView }
  | Exclude<RunEvent, { event: 'snapshot' }>
  | { event: 'heartbeat'; data: { at: string } };

/** The connection, as the reader is told of it (architecture.md › Streams). Times are milliseconds of `Date.now()`. */
export type Connection =
  | { kind: 'connecting' }
  | { kind: 'live'; since: number }
  | { kind: 'lagging'; since: number }
  | { kind: 'reconnecting'; attempt: number; at: number; offline: boolean }
  | { kind: 'paused'; unseen: number }
  | { kind: 'stopped'; problem: { code: string; message: string } };
