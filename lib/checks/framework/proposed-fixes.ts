import type { Choices } from '#lib/spec/index.ts';
import type { Findings } from '../findings.ts';

/**
 * The answers with every fix that `--accept-proposals` or the page *Ready to switch* chooses: for each failure that a plan can fix and that was not accepted
 * with a reason. The same object if there is none to add.
 */
export function withProposedFixes(choices: Choices, { findings }: Findings): Choices {
  if (!choices.acceptProposals) return choices;
  const proposed = findings.filter(
    ({ status, remedy, acknowledged, fixedBy }) =>
      status === 'fail' && remedy.autofix !== undefined && acknowledged === null && fixedBy === null,
  );
  if (proposed.length === 0) return choices;
  return { ...choices, fix: [...choices.fix, ...proposed.map(({ id }) => id)] };
}
