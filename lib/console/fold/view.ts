import type { Flow } from '#lib/flows/in-browser.ts';
import type { WayOfUpgrade } from '#lib/plan/index.ts';
import type { NodeState, RunEvent, RunLine, RunState, ServicesWatched, ShownRun } from '#lib/run/index.ts';
import type { ClusterStatus, ComponentStatus, NodeLine } from '#lib/status/index.ts';

/**
 * The data that go to the browser: views, and the events that change them (architecture.md › Streams). Both sides are of one build, and the server makes
 * every event. A view is a snapshot that contains all events up to `revision`. Both sides use the same folds, so that a page that has followed the stream and
 * a page that was just loaded show the same. Nothing here does I/O or loads a module that does.
 *
 * A revision, which is also the `id:` of a server-sent event, is the time at which the stream was opened in ms × 1,000 + a counter. Revisions increase across
 * restarts of the console, and those of another process are recognised. Events without an id (`heartbeat`, `end`) change no view.
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
  /** `nodes`: those that changed with the status. One event, so that no page shows one without the other. */
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

/** The stream has ended and a new one would end too: no such run, refused credentials, too many streams. */
export type StreamEnd = { event: 'end'; data: { code: string; message: string } };

/** A run as its page shows it, folded from its events. */
export type RunView = {
  /** Id of the last event that is folded in. */
  revision: number;
  /** Revision at which the run last paused, continued, turned back or ended. A request made from an older view is refused. */
  turnedAt: number;
  run: string;
  cluster: string;
  goal: string;
  /** The releases of an upgrade, if its journal has them. */
  upgrade?: WayOfUpgrade;
  role: 'holder' | 'follower';
  /** The journal is not sealed by this installation, so the view shows what it claims. */
  isForeign: boolean;
  state: RunState;
  startedAt: string;
  operations: RunLine[];
  /** The step in progress; null: none. */
  now: RunNow | null;
  nodes: RunNode[];
  /** Oldest first; the last 500. */
  log: LogLine[];
  problem: Extract<RunEvent, { event: 'problem' }>['data'] | null;
  /** How Services answered on each node so far; null: not watched. */
  services: ServicesWatched | null;
  /** Since when the API server has not answered; the rest is as it was then. */
  stale: { since: string; message: string } | null;
};

/** `since`: when this step began. */
export type RunNow = Extract<RunEvent, { event: 'operation' }>['data'] & { since: string };

/** `since`: when it entered this state. `tookSeconds`: from the first sign of its move to its proof; null without a proof. */
export type RunNode = NodeState & { since: string; movingSince: string | null; tookSeconds: number | null };

export type LogLine = {
  id: number;
  at: string;
  state: 'ok' | 'now' | 'warn' | 'bad' | 'unknown' | 'plain';
  text: string;
};

/** An event of a run's stream: a whole view, or an event of the run's engine. */
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
  /** The tested nodes, and those of them that have reported all results. */
  nodes: readonly string[];
  reported: readonly string[];
  /** `because`: why nothing was measured; null: it was. `left`: why objects of the test may remain. */
  ended: { at: string; because: string | null; left: string | null } | null;
};

export type PreflightEvent =
  | { event: 'snapshot'; data: PreflightView }
  /** More nodes have reported. */
  | { event: 'node'; data: { reported: readonly string[] } }
  | { event: 'ended'; data: NonNullable<PreflightView['ended']> }
  | { event: 'heartbeat'; data: { at: string } }
  | StreamEnd;

/** Flows with the policies' decisions, from a cluster's aggregator. */
export type FlowsView = {
  /** Id of the last event that is folded in. */
  revision: number;
  cluster: string;
  /** Oldest first; the last 2,000. */
  flows: readonly Flow[];
  /** Times since when flows were lost, one for each replacement of the aggregator, in seconds since 1970. */
  gaps: readonly number[];
  /** Since when no flows arrive; the rest is as it was then. */
  stale: { since: string; message: string } | null;
};

export type FlowsEvent =
  | { event: 'snapshot'; data: FlowsView }
  /** A flow with a known id replaces the earlier one. */
  | { event: 'flows'; data: { flows: readonly Flow[] } }
  | { event: 'gap'; data: { since: number } }
  | { event: 'problem'; data: { code: string; message: string; since: string; retryable: boolean } }
  | { event: 'heartbeat'; data: { at: string } }
  | StreamEnd;

/** The state of the connection that the page shows (architecture.md › Streams). Times are ms of `Date.now()`. */
export type Connection =
  | { kind: 'connecting' }
  | { kind: 'live'; since: number }
  | { kind: 'lagging'; since: number }
  | { kind: 'reconnecting'; attempt: number; at: number; offline: boolean }
  | { kind: 'paused'; unseen: number }
  | { kind: 'stopped'; problem: { code: string; message: string } };
