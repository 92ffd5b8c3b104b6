import { type Findings, needsAnswer } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { clusterUidOf } from '#lib/plan/index.ts';
import { acceptedRisks, type RunMemory } from '#lib/run/index.ts';

/**
 * Open findings with the reason that the latest run of this installation on this cluster was started with. It is only offered: what was so then has
 * to be confirmed.
 */
export async function withEarlierReasons(
  findings: Findings,
  facts: Facts,
  memory: Pick<RunMemory, 'ofCluster'>,
): Promise<Findings> {
  const uid = clusterUidOf(facts);
  const open = findings.findings.some(needsAnswer);
  const runs = uid === null || !open ? [] : await memory.ofCluster(uid);
  const reasons = new Map(
    runs
      .toSorted((one, other) => one.journal.startedAt.localeCompare(other.journal.startedAt))
      .flatMap(({ plan, journal }) =>
        acceptedRisks(plan, journal).flatMap(({ of, id, reason, at }) =>
          of === 'finding' ? [[id, { reason, at, run: journal.run }] as const] : [],
        ),
      ),
  );
  if (reasons.size === 0) return findings;
  return {
    ...findings,
    findings: findings.findings.map((finding) => {
      const acceptedBefore = needsAnswer(finding) ? reasons.get(finding.id) : undefined;
      return acceptedBefore === undefined ? finding : { ...finding, acceptedBefore };
    }),
  };
}
