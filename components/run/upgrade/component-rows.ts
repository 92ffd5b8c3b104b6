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

/** The releases of an upgrade, or of the present leg of one with a hop. */
export type Leg = {
  from: string | null;
  operatorBefore: string | null;
  to: Pick<ReleasesOfRun['to'][number], 'version' | 'operator'> | undefined;
  /** Words for the leg, if there are several. */
  words: string;
};

/** `leg`: index of the present leg of a run that goes forward; the undo counts as one leg. Pure. */
export function legOf({ from, operatorBefore, to }: ReleasesOfRun, leg: number | null): Leg {
  if (leg === null || to.length < 2) return { from, operatorBefore, to: to.at(-1), words: '' };
  const before = to[leg - 1];
  const words = leg === to.length - 1 ? 'from the hop on' : 'to the hop';
  if (before === undefined) return { from, operatorBefore, to: to[leg], words };
  return { from: before.version, operatorBefore: before.operator, to: to[leg], words };
}

/**
 * The progress of each workload to the target release, or back: *Done* only if its image is of the target and all of its pods have that image and are ready. Pure.
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
  // Another image, or that of a later run: pages of old runs can still be opened.
  return { state: 'unknown', word: 'Another release', says, updated: 0 };
}
