import type { State } from '#components/ui/state-mark.tsx';
import type { WorkloadVersion } from '#lib/status/index.ts';
import type { ReleasesOfRun } from './release-lines.ts';

export type ComponentRow = {
  name: string;
  object: string;
  state: State;
  word: 'Done' | 'Moving' | 'Ahead' | 'Not known';
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
  return workloads.map((one) => {
    const [before, after] = (isOperator(one) ? operator : calico).map((version) => version ?? 'not known');
    const [from = '', to = ''] = direction === 'forward' ? [before, after] : [after, before];
    return { name: one.name, object: one.object, from, to, wanted: one.wanted, ...standingOf(one, to, from) };
  });
}

const isOperator = ({ name }: WorkloadVersion) => name === 'tigera-operator';

function standingOf(
  { version, wanted, updated, ready }: WorkloadVersion,
  to: string,
  from: string,
): Pick<ComponentRow, 'state' | 'word' | 'says' | 'updated'> {
  if (version === null) return { state: 'unknown', word: 'Not known', says: 'its image names no release', updated: 0 };
  if (version === to) {
    if (updated >= wanted && ready >= wanted) return { state: 'ok', word: 'Done', says: 'ready', updated };
    const says = updated < wanted ? 'rolling' : `${ready} of ${wanted} ready`;
    return { state: 'now', word: 'Moving', says, updated };
  }
  if (version === from) return { state: 'idle', word: 'Ahead', says: `runs ${version}`, updated: 0 };
  // A release on the way, or one of somebody else's.
  return { state: 'now', word: 'Moving', says: `runs ${version}`, updated: 0 };
}
