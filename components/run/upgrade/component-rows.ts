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

/**
 * Each workload on its way from the first release to the last one, or back: *Done* only where its image is of the release that is gone to, and all of its pods
 * are of that image and ready. Pure.
 */
export function componentRows(
  workloads: readonly WorkloadVersion[],
  releases: ReleasesOfRun,
  direction: 'forward' | 'undo',
): ComponentRow[] {
  const last = releases.to.at(-1);
  const calico = [releases.from, last?.version ?? null];
  const operator = [releases.operatorBefore, last?.operator ?? null];
  const onTheWay = new Set(releases.to.flatMap(({ version, operator: itsOperator }) => [version, itsOperator]));
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
