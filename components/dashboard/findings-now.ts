import { cache } from 'react';
import type { Finding } from '#lib/checks/index.ts';
import { host, type Slug } from '#lib/console/host.ts';
import type { Goal } from '#lib/spec/index.ts';

export type FindingsNow = { goal: Goal; outages: Finding[]; blockers: Finding[] };

/**
 * What is broken now, and what would block the next step on this cluster; null where nothing is known. Findings are kept for minutes and `unserved` is
 * what the watches see now: where the two differ, the cluster is read again. One reading for all parts of a page.
 */
export const findingsNow = cache(async (cluster: Slug, unserved: boolean): Promise<FindingsNow | null> => {
  const read = async (freshness: 'kept' | 'again') => {
    const answer = await host()
      .findings(cluster, freshness)
      .catch(() => null);
    return answer?.ok ? answer.value.findings : null;
  };
  const kept = await read('kept');
  const isOld = kept !== null && kept.findings.some(({ outage }) => outage) !== unserved;
  const findings = isOld ? await read('again') : kept;
  if (findings === null) return null;
  return {
    goal: findings.goal,
    outages: findings.findings.filter(({ outage }) => outage),
    blockers: findings.findings.filter((one) => isBlocker(one)),
  };
});

/** What blocks and that no question on the way answers: an address is asked for, and a fix is offered. */
function isBlocker({ status, severity, fixedBy, remedy, outage }: Finding): boolean {
  if (status !== 'fail' || severity !== 'blocking' || outage || fixedBy !== null) return false;
  return remedy.fixIn !== 'endpoint' && remedy.autofix === undefined;
}
