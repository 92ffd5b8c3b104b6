import type { Subject } from '#lib/facts/index.ts';
import type { FollowsFrom } from '../check.ts';
import type { Finding } from '../findings.ts';
import { isBlocking, needsAnswer } from './verdict.ts';

/** Checks that rule out the goal, so that every other finding follows from them. */
const ofEveryCheck: FollowsFrom = {
  'platform.supported': 'open',
  'install.method-known': 'unknown',
  'enable.operator-needed': 'unknown',
};

/**
 * Fills `followsFrom` with the open finding that must be settled first, the first one of a chain, and gives the finding a title that says so. Never changes
 * the verdict: a cause weighs at least as much as what follows from it, and nothing follows from an accepted cause. An outage never follows from another.
 */
export function withCauses(
  findings: readonly Finding[],
  checks: readonly { id: string; topic: string; followsFrom?: FollowsFrom }[],
): Finding[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const declared = new Map(checks.map(({ id, followsFrom }) => [id, { ...ofEveryCheck, ...followsFrom }]));
  const causeOf = (finding: Finding): string | null => {
    const isAnswered = finding.acknowledged !== null || finding.fixedBy !== null;
    if (finding.outage || isAnswered || finding.status === 'skipped') return null;
    for (const [id, which] of Object.entries(declared.get(finding.id) ?? {})) {
      const cause = byId.get(id);
      if (cause === undefined || cause === finding || !isOpenFail(cause) || weight(cause) < weight(finding)) continue;
      if (follows[which](finding, cause)) return causeOf(cause) ?? id;
    }
    return null;
  };
  const topics = new Map(checks.map(({ id, topic }) => [id, topic]));
  return findings.map((finding) => {
    const followsFrom = causeOf(finding);
    const title = followsFrom === null ? finding.title : `${topics.get(finding.id)}: does not apply yet`;
    return { ...finding, title, followsFrom };
  });
}

const follows: Record<FollowsFrom[string], (finding: Finding, cause: Finding) => boolean> = {
  always: () => true,
  open: ({ status }) => status === 'fail' || status === 'unknown',
  unknown: ({ status }) => status === 'unknown',
  'same-subjects': ({ status, subjects }, cause) => {
    const of = new Set(cause.subjects.map(nameOf));
    return status === 'fail' && subjects.every((subject) => of.has(nameOf(subject)));
  },
};

function isOpenFail({ status, acknowledged, fixedBy }: Finding): boolean {
  return status === 'fail' && acknowledged === null && fixedBy === null;
}

function weight(finding: Finding): number {
  return isBlocking(finding) ? 2 : needsAnswer(finding) ? 1 : 0;
}

function nameOf({ kind, namespace, name }: Subject): string {
  return JSON.stringify([kind, namespace, name]);
}
