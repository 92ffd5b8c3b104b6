import type { Plan } from '#lib/plan/index.ts';
import type { Entry, Journal } from './journal.ts';

/**
 * What was accepted in place of being known or right: a finding before the start, or the doubt of a step. `because`: what was found.
 * `verified`: false where nobody looked, and the reason stands in for it.
 */
export type AcceptedRisk = {
  of: 'finding' | 'step';
  id: string;
  title: string;
  because: string | null;
  verified: boolean;
  reason: string;
  /** Holder identity, as `startedBy`. */
  by: string;
  at: string;
};

type Acknowledged = Extract<Entry, { what: 'acknowledged' }>;

/** Findings that a plan was started with although they are open, as the first entries of its journal. */
export function acceptedAtStart({ findings }: Plan, at: string, by: string): Acknowledged[] {
  return findings.findings.flatMap(({ id, acknowledged, acceptedAt }) =>
    acknowledged === null ? [] : [{ what: 'acknowledged', at: acceptedAt ?? at, id, reason: acknowledged, by }],
  );
}

/** How many entries `acceptedAtStart` made, all of them the first: doubts of steps come after the first step has begun. */
export function countAtStart({ entries }: Journal): number {
  const first = entries.findIndex(({ what }) => what !== 'acknowledged');
  return first < 0 ? entries.length : first;
}

/** Everything that was accepted for a run, in order. A journal of an earlier version leaves findings to its plan. Pure. */
export function acceptedRisks(plan: Plan, journal: Journal): AcceptedRisk[] {
  const { entries, startedAt, startedBy } = journal;
  const own = entries.filter((entry): entry is Acknowledged => entry.what === 'acknowledged');
  const count = countAtStart(journal);
  const [atStart, ofSteps] = [own.slice(0, count), own.slice(count)];
  const ofFindings = atStart.length > 0 ? atStart : acceptedAtStart(plan, startedAt, startedBy);
  return [
    ...ofFindings.map(({ id, reason, at, by = startedBy }): AcceptedRisk => {
      const found = plan.findings.findings.find((finding) => finding.id === id);
      const [title, because, verified] = [found?.title ?? id, found?.because ?? null, found?.status === 'fail'];
      return { of: 'finding', id, title, because, verified, reason, by, at };
    }),
    ...ofSteps.map(({ id, reason, at, by = startedBy }): AcceptedRisk => {
      const title = plan.operations.find((operation) => operation.id === id)?.title ?? id;
      return { of: 'step', id, title, because: null, verified: false, reason, by, at };
    }),
  ];
}
