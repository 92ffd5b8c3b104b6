import type { State } from '#components/ui/state-mark.tsx';
import type { WorkloadVersion } from '#lib/status/index.ts';
import type { ReleasesOfRun } from './release-lines.ts';

export type ComponentRow = {
  name: string;
  object: string;
  state: State;
  word: 'Done' | 'Moving' | 'Ahead' | 'Not known' | 'Another release';
  from: string;
  to: string;
  updated: number;
  wanted: number;
  says: string;
};

/** From which release to which: of a way by a hop the leg that the run is on. */
export type Leg = {
  from: string | null;
  operatorBefore: string | null;
  to: Pick<ReleasesOfRun['to'][number], 'version' | 'operator'> | undefined;
  /** What is said of it where there are others. */
  words: string;
};

/** `leg`: which one a run is on that goes forward; the way back is told as one. Pure. */
export function legOf({ from, operatorBefore, to }: ReleasesOfRun, leg: number | null): Leg {
  if (leg === null || to.length < 2) return { from, operatorBefore, to: to.at(-1), words: '' };
  const before = to[leg - 1];
  const words = leg === to.length - 1 ? 'from the hop on' : 'to the hop';
  if (before === undefined) return { from, operatorBefore, to: to[leg], words };
  return { from: before.version, operatorBefore: before.operator, to: to[leg], words };
}

/**
 * Each workload on its way from one release to another, or back: *Done* only where its image is of the release that is gone to, and all of its pods
 * are of that image and ready. Pure.
 */
export function componentRows(
  workloads: readonly WorkloadVersion[],
  releases: ReleasesOfRun,
  direction: 'forward' | 'undo',
  leg: Leg = legOf(releases, null),
): ComponentRow[] {
  const calico = [leg.from, leg.to?.version ?? null];
  const operator = [leg.operatorBefore, leg.to?.operator ?? null];
  const onTheWay = new Set([
    releases.from,
    releases.operatorBefore,
    ...releases.to.flatMap(({ version, operator: itsOperator }) => [version, itsOperator]),
  ]);
  return workloads.map((one) => {
    const [before, after] = (isOperator(one) ? operator : calico).map((version) => version ?? 'not known');
    const [from = '', to = ''] = direction === 'forward' ? [before, after] : [after, before];
    return {
      name: one.name,
      object: one.object,
      from,
      to,
      wanted: one.wanted,
      ...standingOf(one, { from, to, onTheWay }),
    };
  });
}

const isOperator = ({ name }: WorkloadVersion) => name === 'tigera-operator';

function standingOf(
  { version, wanted, updated, ready }: WorkloadVersion,
  { from, to, onTheWay }: { from: string; to: string; onTheWay: ReadonlySet<string | null> },
): Pick<ComponentRow, 'state' | 'word' | 'says' | 'updated'> {
  if (version === null) return { state: 'unknown', word: 'Not known', says: 'its image names no release', updated: 0 };
  if (version === to) {
    if (updated >= wanted && ready >= wanted) return { state: 'ok', word: 'Done', says: 'ready', updated };
    const says = updated < wanted ? 'rolling' : `${ready} of ${wanted} ready`;
    return { state: 'now', word: 'Moving', says, updated };
  }
  if (version === from) return { state: 'idle', word: 'Ahead', says: `runs ${version}`, updated: 0 };
  const says = `runs ${version}`;
  if (onTheWay.has(version)) return { state: 'now', word: 'Moving', says, updated: 0 };
  // Somebody else's image, or what a later run brought: the page of an old run is still open to everybody.
  return { state: 'unknown', word: 'Another release', says, updated: 0 };
}
