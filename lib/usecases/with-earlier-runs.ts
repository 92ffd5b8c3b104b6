import { cgroupFolder, type Finding, type Findings, needsAnswer } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { clusterUidOf } from '#lib/plan/index.ts';
import { acceptedRisks, mayHaveActed, nodesProvenBy, provenBy, type RunMemory } from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { measuredPlan } from './preflight/measured-plan.ts';

/**
 * Adds to open findings, and to those with a fix, what earlier runs of this installation on this cluster recorded: the proof of each node, and the
 * reason with which the latest run accepted the finding. Both are suggestions: the user has to confirm them, and no verdict changes.
 */
export async function withEarlierRuns(
  findings: Findings,
  { facts, choices }: { facts: Facts; choices: Choices },
  memory: Pick<RunMemory, 'ofCluster'>,
): Promise<Findings> {
  const uid = clusterUidOf(facts);
  const open = findings.findings.some((finding) => needsAnswer(finding) || finding.fixedBy !== null);
  const copies = uid === null || !open ? [] : await memory.ofCluster(uid);
  if (copies.length === 0) return findings;
  const runs = copies.toSorted((one, other) => one.journal.startedAt.localeCompare(other.journal.startedAt));
  const proofs = runs.flatMap(({ plan, journal }) => nodesProvenBy(plan, journal) ?? []);
  const changes = runs.filter(({ plan, journal }) => plan.goal === 'upgrade' && mayHaveActed(journal));
  const reasons = new Map(
    runs.flatMap(({ plan, journal }) =>
      acceptedRisks(plan, journal).flatMap(({ of, id, reason, at }) =>
        of === 'finding' ? [[id, { reason, at, run: journal.run }] as const] : [],
      ),
    ),
  );
  const withSuggestions = (finding: Finding): Finding => {
    if (!needsAnswer(finding)) {
      // A fix that an earlier run left out is proposed again, with the reason given then.
      const reason = finding.fixedBy === null ? undefined : reasons.get(finding.id);
      return reason === undefined ? finding : { ...finding, acceptedBefore: reason };
    }
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
  return { ...findings, findings: findings.findings.map(withSuggestions) };
}
