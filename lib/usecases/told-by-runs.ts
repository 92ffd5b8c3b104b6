import { cgroupFolder, type Finding, type Findings, needsAnswer } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { clusterUidOf } from '#lib/plan/index.ts';
import { acceptedRisks, mayHaveActed, nodesProvenBy, type RunMemory } from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { measuredPlan } from './preflight/measured-plan.ts';
import { provenBy } from './proven-by.ts';

/**
 * Open findings with what runs of this installation on this cluster tell of them: what a run proved of each node, and the reason that the latest was started
 * with. Both are only offered: what was so then has to be confirmed, and no verdict changes.
 */
export async function withToldByRuns(
  findings: Findings,
  { facts, choices }: { facts: Facts; choices: Choices },
  memory: Pick<RunMemory, 'ofCluster'>,
): Promise<Findings> {
  const uid = clusterUidOf(facts);
  const open = findings.findings.some(needsAnswer);
  const kept = uid === null || !open ? [] : await memory.ofCluster(uid);
  if (kept.length === 0) return findings;
  const runs = kept.toSorted((one, other) => one.journal.startedAt.localeCompare(other.journal.startedAt));
  const proofs = runs.flatMap(({ plan, journal }) => nodesProvenBy(plan, journal) ?? []);
  const changes = runs.filter(({ plan, journal }) => plan.goal === 'upgrade' && mayHaveActed(journal));
  const reasons = new Map(
    runs.flatMap(({ plan, journal }) =>
      acceptedRisks(plan, journal).flatMap(({ of, id, reason, at }) =>
        of === 'finding' ? [[id, { reason, at, run: journal.run }] as const] : [],
      ),
    ),
  );
  const told = (finding: Finding): Finding => {
    if (!needsAnswer(finding)) return finding;
    const verifiedBy = provenBy(
      finding,
      {
        nodes: facts.nodes,
        release: measuredPlan(facts, choices).release,
        cgroupFolder: cgroupFolder(facts),
        endpoint: choices.endpoint ?? facts.endpoint.configMap,
      },
      proofs,
      changes.map(({ journal }) => journal),
    );
    const acceptedBefore =
      verifiedBy?.stale === null
        ? { reason: verifiedBy.because, at: verifiedBy.at, run: verifiedBy.run }
        : reasons.get(finding.id);
    return {
      ...finding,
      ...(verifiedBy === null ? {} : { verifiedBy }),
      ...(acceptedBefore === undefined ? {} : { acceptedBefore }),
    };
  };
  return { ...findings, findings: findings.findings.map(told) };
}
