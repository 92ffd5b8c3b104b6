import { nearest } from '#lib/base/nearest.ts';
import type { Choices } from '#lib/spec/index.ts';
import { checks } from '../checks.ts';
import type { Findings } from '../findings.ts';
import { quoted } from '../wording/sentences.ts';
import { notMeasuredGroup } from './not-measured.ts';

/** A wrong answer about a finding: exit code 2 on the command line, an error of the field in the wizard. */
export type ChoiceProblem = {
  code: 'acknowledge.unknown-check' | 'acknowledge.blocking' | 'fix.unknown-check' | 'fix.no-mend';
  /** Path in Choices: `acknowledge.node.kernel`. */
  field: string;
  message: string;
};

/** Problems of `acknowledge` and `fix`, given the findings of `runChecks` with the same choices. */
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

const idle = {
  pass: 'this check passes',
  unknown: 'the result of this check is unknown',
  skipped: 'this check does not apply here',
} as const;

/**
 * A sentence for each chosen fix of a check that does not fail. Not a problem: the same answers hold before and after the fix. Says nothing of the plan,
 * which takes the steps of most fixes from the answers alone (`felix.options`).
 */
export function idleFixes({ fix }: Pick<Choices, 'fix'>, { findings }: Pick<Findings, 'findings'>): string[] {
  return findings.flatMap(({ id, status }) =>
    fix.includes(id) && status !== 'fail' ? [`fix: ${quoted(id)} has no failure to fix: ${idle[status]}.`] : [],
  );
}

function isKnown(id: string): boolean {
  return checks.some((check) => check.id === id);
}

/**
 * The sentence for an unknown check, with a guess: the id without a typing error, an id of another group with the same words, or an id that begins or
 * ends with this one.
 */
function unknownCheck(field: string, id: string): string {
  const last = id.split('.').at(-1) ?? '';
  const ids = checks.map((check) => check.id);
  const isPart = (one: string) =>
    last !== '' && (one.endsWith(`.${last}`) || one.endsWith(`-${id}`) || one.startsWith(`${id}.`));
  const guess = ids.find(isPart) ?? nearest(id, ids);
  const hint = guess ? ` Did you mean ${guess}?` : ' `signalbox check --all` lists all ids.';
  return `${field}: there is no check ${quoted(id)}.${hint}`;
}
