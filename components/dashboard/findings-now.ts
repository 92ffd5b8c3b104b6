import { cache } from 'react';
import { type Finding, isBlocking } from '#lib/checks/index.ts';
import { host, type Slug } from '#lib/console/host.ts';
import type { Goal } from '#lib/spec/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';
import type { ServedBy } from './served-as-seen.ts';

type InTheWay = {
  blockers: Finding[];
  /** Blocking checks that were not made because the account may not read what they need: the way on ends at them until the rights are there. */
  refused: Finding[];
};

export type FindingsNow = InTheWay & {
  goal: Goal;
  outages: Finding[];
  /** The flags by which each program means this cluster. */
  flags: FlagsByProgram;
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
  const kept = await read(cluster, 'kept');
  if (kept === null) return null;
  const isOutage = kept.findings.findings.some(({ outage, remedy }) => outage && remedy.goal === 'restore');
  const isContradicted = servedBy === (isOutage ? 'kube-proxy' : 'nobody');
  const isOld = Date.now() - Date.parse(kept.facts.observedAt) > contradictedMs;
  const { findings, facts, flags } = (isContradicted && isOld ? await read(cluster, 'again') : null) ?? kept;
  return {
    goal: findings.goal,
    outages: findings.findings.filter(({ outage }) => outage),
    flags,
    ...inTheWay(findings.findings),
    isUnfinished: facts.installation.unfinished !== null,
    running: facts.installation.version,
  };
});

/**
 * What would block or refuse an upgrade with all proposals, as its button starts it; null if nothing is known. This reads what an upgrade reads, without the
 * files of its release: whoever opens a dashboard sends no dry runs.
 */
export async function upgradeNow(cluster: Slug): Promise<InTheWay | null> {
  const found = await read(cluster, 'kept', 'upgrade');
  return found && inTheWay(found.findings.findings);
}

async function read(cluster: Slug, freshness: 'kept' | 'again', goal?: 'upgrade') {
  const answer = await host()
    .findings(cluster, freshness, goal)
    .catch(() => null);
  return answer?.ok ? answer.value : null;
}

function inTheWay(findings: readonly Finding[]): InTheWay {
  return { blockers: findings.filter((one) => isBlocker(one)), refused: findings.filter((one) => isRefused(one)) };
}

/** Whether nothing is known that would refuse the next step: only then its button is the primary one. Null: nothing is known at all. */
export function isClear(found: InTheWay | null): boolean {
  return found !== null && found.blockers.length + found.refused.length === 0;
}

/** Whether an upgrade is the next step: something blocks the switch to eBPF, and nothing known would refuse the upgrade, which is only looked at then. */
export async function isUpgradeNext(
  found: Pick<FindingsNow, 'goal' | 'outages' | 'blockers'> | null,
  ofUpgrade: () => Promise<InTheWay | null>,
): Promise<boolean> {
  if (found?.goal !== 'enable' || found.outages.length > 0 || found.blockers.length === 0) return false;
  return isClear(await ofUpgrade());
}

/** The same for an installation; findings about another goal say nothing of it. */
export function canInstall(found: FindingsNow | null): boolean {
  return found !== null && (found.goal !== 'install' || isClear(found));
}

/** Whether a finding blocks and the wizard cannot settle it: it asks for an address and offers fixes, so findings with these do not count. */
export function isBlocker(finding: Finding): boolean {
  const { remedy, outage } = finding;
  if (outage || !isBlocking(finding)) return false;
  return remedy.fixIn !== 'endpoint' && remedy.autofix === undefined;
}

/** A blocking check that only lacks rights. A kind that a dump leaves out is no missing right, and a proof by a run stands in for the reading. */
export function isRefused({
  status,
  severity,
  acknowledged,
  followsFrom,
  verifiedBy,
  withheld = [],
}: Finding): boolean {
  if (status !== 'unknown' || severity !== 'blocking' || acknowledged !== null || followsFrom !== null) return false;
  return verifiedBy?.stale !== null && withheld.some(({ rule }) => rule !== undefined);
}
