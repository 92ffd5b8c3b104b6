import type { RunNode } from '#lib/console/wire.ts';
import type { RunLine } from '#lib/run/index.ts';
import type { WorkloadVersions } from '#lib/status/index.ts';

/** The releases of an upgrade as its plan has them, with what the page says of them. */
export type ReleasesOfRun = {
  /** Null: the plan does not say what ran before. */
  from: string | null;
  /** `seq`: the step at whose end every node runs it. `because`: of a hop, why the way goes by it. */
  to: readonly { version: string; seq: number; operator: string | null; gate: string | null; because: string | null }[];
  /** The operator of the release that ran before. */
  operatorBefore: string | null;
};

/** What the page of an upgrade has besides the run. `usual`: seconds that a step takes, by its number. `workloads`: null where the cluster did not tell them soon. */
export type UpgradeOfRun = {
  releases: ReleasesOfRun;
  usual: Readonly<Record<number, number>>;
  workloads: WorkloadVersions | null;
};

/** A node that stands on a line, is `moving` to the line after it (or back, on the way back), or of which nothing is known. */
export type LineNode = Pick<RunNode, 'name' | 'state'>;

/** One release and who is there. `moving`: those on their way between this line and the next. */
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
 * Where each node is. A node stands on the line of the release that its agent runs; while that is replaced it is between two lines: those of the leg that the
 * run is on. One walk over all nodes: 5,000 of them come anew with each picture. Pure.
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

/** Which way a run is on that goes forward, by its index: 0 from the first release to the second. */
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

/** Nodes of a line that stand on it. */
export const standing = ({ waiting, proven, refused }: ReleaseLine): number =>
  waiting.length + proven.length + refused.length;
