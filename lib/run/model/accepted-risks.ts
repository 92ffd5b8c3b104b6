import type { Plan } from '#lib/plan/index.ts';
import type { Entry, Journal } from './journal.ts';

/**
 * A risk that was accepted: an open finding before the start, or the doubt of a step. `because`: what was found. `verified`: false if nothing
 * verified it and only the reason supports it.
 */
export type AcceptedRisk = {
  of: 'finding' | 'step';
  id: string;
  title: string;
  because: string | null;
  verified: boolean;
  reason: string;
  /** The holder's identity, in the form of `startedBy`. */
  by: string;
  at: string;
};

type Acknowledged = Extract<Entry, { what: 'acknowledged' }>;

/** The open findings with which a plan was started, as the first entries of its journal. */
export function acceptedAtStart({ findings }: Plan, at: string, by: string): Acknowledged[] {
  return findings.findings.flatMap(({ id, acknowledged, acceptedAt }) =>
    acknowledged === null ? [] : [{ what: 'acknowledged', at: acceptedAt ?? at, id, reason: acknowledged, by }],
  );
}

/** Number of entries that `acceptedAtStart` made. They come first: doubts of steps follow after the first step has begun. */
export function countAtStart({ entries }: Journal): number {
  const first = entries.findIndex(({ what }) => what !== 'acknowledged');
  return first < 0 ? entries.length : first;
}

/** Everything that was accepted for a run, in order. For journals of earlier versions the findings are in the plan. Pure. */
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
