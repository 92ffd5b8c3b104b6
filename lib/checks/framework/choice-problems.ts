import type { Choices } from '#lib/spec/index.ts';
import { checks } from '../checks.ts';
import type { Findings } from '../findings.ts';
import { quoted } from '../wording/sentences.ts';
import { notMeasuredGroup } from './not-measured.ts';

/** Wrong input about findings: exit 2 on the command line, a field error in the wizard. */
export type ChoiceProblem = {
  code: 'acknowledge.unknown-check' | 'acknowledge.blocking' | 'fix.unknown-check' | 'fix.no-mend';
  /** Path in Choices: `acknowledge.node.kernel`. */
  field: string;
  message: string;
};

/** What `acknowledge` and `fix` ask for and cannot have, given the findings that `runChecks` made with the same choices. */
export function choiceProblems(choices: Choices, { findings }: Findings): ChoiceProblem[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const acknowledged = Object.keys(choices.acknowledge).flatMap((id): ChoiceProblem[] => {
    const field = `acknowledge.${id}`;
    if (id === notMeasuredGroup) return [];
    if (!isKnown(id)) return [{ code: 'acknowledge.unknown-check', field, message: unknownCheck('acknowledge', id) }];
    const finding = byId.get(id);
    if (finding?.status !== 'fail' || finding.severity !== 'blocking') return [];
    const message = `acknowledge: ${quoted(id)} blocks and cannot be accepted; only warnings and unknowns can. ${finding.because}`;
    return [{ code: 'acknowledge.blocking', field, message }];
  });
  const fixed = choices.fix.flatMap((id, index): ChoiceProblem[] => {
    const field = `fix.${index}`;
    if (!isKnown(id)) return [{ code: 'fix.unknown-check', field, message: unknownCheck('fix', id) }];
    const finding = byId.get(id);
    if (finding?.status !== 'fail' || finding.remedy.autofix !== undefined) return [];
    const message = `fix: ${quoted(id)} has no fix that a plan could hold. ${finding.remedy.steps.join(' ')}`;
    return [{ code: 'fix.no-mend', field, message }];
  });
  return [...acknowledged, ...fixed];
}

function isKnown(id: string): boolean {
  return checks.some((check) => check.id === id);
}

/** Names the guess where there is one: the same words in another group, or a part of an id. */
function unknownCheck(field: string, id: string): string {
  const last = id.split('.').at(-1) ?? '';
  const guess = checks.find((check) => check.id.includes(id) || (last !== '' && check.id.endsWith(`.${last}`)));
  return `${field}: there is no check ${quoted(id)}.${guess && id !== '' ? ` Did you mean ${guess.id}?` : ''}`;
}
