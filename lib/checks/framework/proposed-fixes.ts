import type { Choices } from '#lib/spec/index.ts';
import type { Findings } from '../findings.ts';

/**
 * The answers with every fix that accepting proposals chooses (`--accept-proposals`, the page *Ready to switch*): that of each finding which fails,
 * which a plan can fix, and which nobody accepted with a reason instead. The same object where there is none to add.
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
