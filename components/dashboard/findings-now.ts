import { cache } from 'react';
import { type Finding, isBlocking } from '#lib/checks/index.ts';
import { host, type Slug } from '#lib/console/host.ts';
import type { Goal } from '#lib/spec/index.ts';
import type { ServedBy } from './served-as-seen.ts';

export type FindingsNow = {
  goal: Goal;
  outages: Finding[];
  blockers: Finding[];
  /** An installation was begun and not finished. InstallPanel says so and offers to finish it. */
  isUnfinished: boolean;
  /** The release of Calico that runs; null: not known. */
  running: string | null;
};

/** Findings that contradict the watches are read again only if they are older than this: the two read different objects, and may differ permanently. */
const contradictedMs = 60_000;

/**
 * What is broken now, and what would block the next step on this cluster; null if nothing is known. Findings are cached for minutes; if they contradict the
 * watches, the cluster is read again. All parts of a page share one reading.
 */
export const findingsNow = cache(async (cluster: Slug, servedBy: ServedBy): Promise<FindingsNow | null> => {
  const read = async (freshness: 'kept' | 'again') => {
    const answer = await host()
      .findings(cluster, freshness)
      .catch(() => null);
    return answer?.ok ? answer.value : null;
  };
  const kept = await read('kept');
  if (kept === null) return null;
  const isOutage = kept.findings.findings.some(({ outage, remedy }) => outage && remedy.goal === 'restore');
  const isContradicted = servedBy === (isOutage ? 'kube-proxy' : 'nobody');
  const isOld = Date.now() - Date.parse(kept.facts.observedAt) > contradictedMs;
  const { findings, facts } = (isContradicted && isOld ? await read('again') : null) ?? kept;
  return {
    goal: findings.goal,
    outages: findings.findings.filter(({ outage }) => outage),
    blockers: findings.findings.filter((one) => isBlocker(one)),
    isUnfinished: facts.installation.unfinished !== null,
    running: facts.installation.version,
  };
});

/** Whether nothing is known that would refuse an installation. */
export function canInstall(found: FindingsNow | null): boolean {
  return found !== null && (found.goal !== 'install' || found.blockers.length === 0);
}

/** What blocks and that no question on the way answers: an address is asked for, and a fix is offered. */
export function isBlocker(finding: Finding): boolean {
  const { remedy, outage } = finding;
  if (outage || !isBlocking(finding)) return false;
  return remedy.fixIn !== 'endpoint' && remedy.autofix === undefined;
}
