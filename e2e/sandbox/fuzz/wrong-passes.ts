import type { AssessedDump } from './assessed.ts';
import type { Mutation } from './mutations.ts';
import { maySilence } from './silences.ts';

const aboutEndpoint = /^(endpoint\.|operator\.dns-deadlock)/;

/** Checks that failed or did not know, and pass now that less is known. */
export function wrongPasses(
  mutation: Mutation,
  before: AssessedDump,
  after: AssessedDump,
): { check: string; was: string }[] {
  if (before === null || after === null) return [];
  // Another cluster: what was wrong in the namespace of that name is not there.
  if (mutation.do === 'rename-namespace') return [];
  return [...after.statuses].flatMap(([check, status]) => {
    const was = before.statuses.get(check) ?? 'absent';
    if (status !== 'pass' || was === 'pass' || was === 'skipped' || maySilence(mutation, check)) return [];
    // Another address is proposed, and accepted: what was wrong with the first one says nothing about it.
    if (aboutEndpoint.test(check) && before.endpoint !== after.endpoint) return [];
    return [{ check, was }];
  });
}
