import type { AssessedDump } from './assessed.ts';
import type { Mutation } from './mutations.ts';
import { maySilence } from './silences.ts';

const aboutEndpoint = /^(endpoint\.|operator\.dns-deadlock)/;

/** Checks that failed or were unknown, and pass now although less is known. */
export function wrongPasses(
  mutation: Mutation,
  before: AssessedDump,
  after: AssessedDump,
): { check: string; was: string }[] {
  if (before === null || after === null) return [];
  // A renamed namespace gives another cluster, without the faults of the namespace of the old name.
  if (mutation.do === 'rename-namespace') return [];
  return [...after.statuses].flatMap(([check, status]) => {
    const was = before.statuses.get(check) ?? 'absent';
    if (status !== 'pass' || was === 'pass' || was === 'skipped' || maySilence(mutation, check)) return [];
    // Another address is proposed and accepted, so the faults of the first address do not apply.
    if (aboutEndpoint.test(check) && before.endpoint !== after.endpoint) return [];
    return [{ check, was }];
  });
}
