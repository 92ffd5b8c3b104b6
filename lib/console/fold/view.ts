import type { Flow } from '#lib/flows/in-browser.ts';
import type { WayOfUpgrade } from '#lib/plan/index.ts';
import type { NodeState, RunEvent, RunLine, RunState, ServicesWatched, ShownRun } from '#lib/run/index.ts';
import type { ClusterStatus, ComponentStatus, NodeLine } from '#lib/status/index.ts';

/**
 * What crosses to the browser: the two views, and the events that change them (architecture.md › Streams). Both sides are of one build, and the
 * server makes every event. A view is a snapshot with all events up to `revision` folded in; the folds are used on both sides, so that a
 * page that followed and a page that was just loaded show the same. Nothing here does I/O or loads anything that does.
 *
 * Revisions, and the `id:` of a server-sent event, are milliseconds at which the stream was opened × 1,000 + a counter: they grow across restarts of
 * the console, and one from another process is never taken for one of this. Events without an id (`heartbeat`, `end`) change no view.
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
  run: ShownRun | null;
  /** Since when the API server has not answered; the rest is as it was then. */
  stale: { since: string; message: string } | null;
};

export type ClusterEvent =
  | { event: 'snapshot'; data: ClusterView }
  | { event: 'node'; data: { changed: NodeLine[]; gone: string[] } }
  /** `nodes`: those that changed with it. One event, so that no page shows the one without the other. */
  | {
      event: 'condition';
      data: {
        status: Omit<ClusterStatus, 'components'>;
        components: ComponentStatus[];
        nodes?: { changed: NodeLine[]; gone: string[] };
      };
    }
  | { event: 'operation'; data: { run: ShownRun | null } }
  | { event: 'problem'; data: { code: string; message: string; since: string; retryable: boolean } }
  | { event: 'heartbeat'; data: { at: string } }
  | StreamEnd;

/** Nothing more will come, and asking again would not help: there is no such run, the cluster refuses these credentials, too many streams. */
export type StreamEnd = { event: 'end'; data: { code: string; message: string } };

/** A run as its page shows it. */
export type RunView = {
  /** Id of the last event that is folded in. */
  revision: number;
  /** Revision at which the run last paused, went on, turned back or ended. A request made from an older view was overtaken. */
  turnedAt: number;
  run: string;
  cluster: string;
  goal: string;
  /** Of an upgrade, which way, where its journal says so. */
  upgrade?: WayOfUpgrade;
  role: 'holder' | 'follower';
  /** Its journal is not this installation's word, as it stands now: what is shown is what it claims. */
  isForeign: boolean;
  state: RunState;
  startedAt: string;
  operations: RunLine[];
  /** What is under way; null while nothing is. */
  now: RunNow | null;
  nodes: RunNode[];
  /** Oldest first; the last 500. */
  log: LogLine[];
  problem: Extract<RunEvent, { event: 'problem' }>['data'] | null;
  /** How services answered on each node until now; null: nobody asks. */
  services: ServicesWatched | null;
  /** Since when the API server has not answered; the rest is as it was then. */
  stale: { since: string; message: string } | null;
};

/** `since`: when this step began. */
export type RunNow = Extract<RunEvent, { event: 'operation' }>['data'] & { since: string };

/** `since`: when it came into this state. `tookSeconds`: from the first sign of its move to its proof; null while it has none. */
export type RunNode = NodeState & { since: string; movingSince: string | null; tookSeconds: number | null };

export type LogLine = {
  id: number;
  at: string;
  state: 'ok' | 'now' | 'warn' | 'bad' | 'unknown' | 'plain';
  text: string;
};

/** The wire event of a run: a whole view, or one of the executor's own events. */
export type RunStreamEvent =
  | { event: 'snapshot'; data: RunView }
  | Exclude<RunEvent, { event: 'snapshot' | 'heartbeat' }>
  | { event: 'stale'; id: number; data: RunView['stale'] }
  | { event: 'heartbeat'; data: { at: string } }
  | StreamEnd;

/** The nodes of a cluster while they are tested, and how that ended. */
export type PreflightView = {
  /** Id of the last event that is folded in. */
  revision: number;
  since: string;
  /** Those that are tested, and those of them that have told all that they can. */
  nodes: readonly string[];
  reported: readonly string[];
  /** `because`: why nothing was measured; null: it was. `left`: why something of the test may still be there. */
  ended: { at: string; because: string | null; left: string | null } | null;
};

export type PreflightEvent =
  | { event: 'snapshot'; data: PreflightView }
  /** More nodes have reported. */
  | { event: 'node'; data: { reported: readonly string[] } }
  | { event: 'ended'; data: NonNullable<PreflightView['ended']> }
  | { event: 'heartbeat'; data: { at: string } }
  | StreamEnd;

/** What the network decided, as the aggregator of a cluster tells it. */
export type FlowsView = {
  /** Id of the last event that is folded in. */
  revision: number;
  cluster: string;
  /** Oldest first; the last 2,000. */
  flows: readonly Flow[];
  /** Since when flows were lost, each time that the aggregator was replaced: seconds since the epoch. */
  gaps: readonly number[];
  /** Since when no flows come; the rest is as it was then. */
  stale: { since: string; message: string } | null;
};

export type FlowsEvent =
  | { event: 'snapshot'; data: FlowsView }
  /** One with an id that is known takes the place of the one before. */
  | { event: 'flows'; data: { flows: readonly Flow[] } }
  | { event: 'gap'; data: { since: number } }
  | { event: 'problem'; data: { code: string; message: string; since: string; retryable: boolean } }
  | { event: 'heartbeat'; data: { at: string } }
  | StreamEnd;

/** The connection, as the reader is told of it (architecture.md › Streams). Times are milliseconds of `Date.now()`. */
export type Connection =
  | { kind: 'connecting' }
  | { kind: 'live'; since: number }
  | { kind: 'lagging'; since: number }
  | { kind: 'reconnecting'; attempt: number; at: number; offline: boolean }
  | { kind: 'paused'; unseen: number }
  | { kind: 'stopped'; problem: { code: string; message: string } };
