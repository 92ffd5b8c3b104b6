import type { RunNode } from '#lib/console/wire.ts';
import type { RunLine } from '#lib/run/index.ts';
import type { WorkloadVersions } from '#lib/status/index.ts';

/** The releases of an upgrade as its plan has them, with what the page says of them. */
export type ReleasesOfRun = {
  /** Null: the plan does not say what ran before. */
  from: string | null;
  /** `seq`: the step after which every node runs the release. `because`: why a hop is needed. */
  to: readonly { version: string; seq: number; operator: string | null; gate: string | null; because: string | null }[];
  /** The operator of the release that ran before. */
  operatorBefore: string | null;
};

/** What the page of an upgrade shows besides the run. `usual`: the usual seconds of each step, by its number. `workloads`: null if they were not read in time. */
export type UpgradeOfRun = {
  releases: ReleasesOfRun;
  usual: Readonly<Record<number, number>>;
  workloads: WorkloadVersions | null;
};

/** A node on a line, between a line and the next one, or in an unknown state. */
export type LineNode = Pick<RunNode, 'name' | 'state'>;

/** A release and its nodes. `moving`: the nodes between this line and the next one. */
export type ReleaseLine = {
  version: string;
  role: 'from' | 'hop' | 'to';
  waiting: readonly LineNode[];
  proven: readonly LineNode[];
  refused: readonly LineNode[];
  moving: readonly LineNode[];
};

export type ReleaseLines = { lines: readonly ReleaseLine[]; unknown: readonly LineNode[]; counted: number };

type Seen = {
  nodes: readonly RunNode[];
  operations: readonly Pick<RunLine, 'seq' | 'state'>[];
  direction: 'forward' | 'undo';
};

/**
 * The line of each node. A node is on the line of its agent's release; while the agent is being replaced, it is between the two lines of the run's present
 * leg. One pass over all nodes, because up to 5,000 of them change with each view. Pure.
 */
export function releaseLines({ from, to }: ReleasesOfRun, { nodes, operations, direction }: Seen): ReleaseLines {
  const versions = [from ?? 'before', ...to.map(({ version }) => version)];
  const leg = legNow(to, operations);
  const empty = () => ({ waiting: [], proven: [], refused: [], moving: [] });
  const on = new Map<string, { [K in 'waiting' | 'proven' | 'refused' | 'moving']: LineNode[] }>(
    versions.map((version) => [version, empty()] as const),
  );
  const unknown: LineNode[] = [];
  let counted = 0;
  for (const node of nodes) {
    if (node.state === 'not-counted') continue;
    counted++;
    const { version } = node;
    const own = version === undefined ? undefined : on.get(version);
    if (node.state === 'restarting')
      on.get(versions[between(versions, version, { leg, direction })] ?? '')?.moving.push(node);
    else if (node.state === 'refused' && own !== undefined) own.refused.push(node);
    else if (own === undefined) {
      // An image that names no release: it has changed, or it has not.
      if (node.state === 'proven') on.get(versions[direction === 'forward' ? leg + 1 : leg] ?? '')?.proven.push(node);
      else if (node.state === 'waiting' && version === undefined) on.get(versions[leg] ?? '')?.waiting.push(node);
      else unknown.push(node);
    } else if (node.state === 'unknown') unknown.push(node);
    else own[node.state === 'proven' ? 'proven' : 'waiting'].push(node);
  }
  return {
    lines: versions.map((version, index) => ({
      version: from === null && index === 0 ? 'earlier' : version,
      role: index === 0 ? 'from' : index === versions.length - 1 ? 'to' : 'hop',
      ...(on.get(version) ?? empty()),
    })),
    unknown,
    counted,
  };
}

/** The index of the present leg of a run that goes forward: 0 is the leg from the first release to the second. */
export function legNow(to: ReleasesOfRun['to'], operations: Seen['operations']): number {
  const states = new Map(operations.map(({ seq, state }) => [seq, state] as const));
  const arrived = to.filter(({ seq }) => ['finished', 'already-done'].includes(states.get(seq) ?? 'ahead')).length;
  return Math.min(arrived, to.length - 1);
}

/** The upper one of the two lines between which a node moves: an agent of either release may be starting. */
function between(
  versions: readonly string[],
  version: string | undefined,
  { leg, direction }: { leg: number; direction: Seen['direction'] },
): number {
  const at = version === undefined ? -1 : versions.indexOf(version);
  const upper = at < 0 ? leg : at > leg || (direction === 'undo' && at > 0 && at !== leg) ? at - 1 : at;
  return Math.max(0, Math.min(upper, versions.length - 2));
}

/** The number of nodes on a line, without those that are moving. */
export const settledNodes = ({ waiting, proven, refused }: ReleaseLine): number =>
  waiting.length + proven.length + refused.length;
