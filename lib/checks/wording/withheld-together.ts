import { inList } from '#lib/base/words.ts';
import { type FlagsByProgram, withClusterFlags } from '#lib/text/index.ts';
import type { Finding, Findings } from '../findings.ts';
import { ruleName } from '../framework/missing.ts';
import { grantCommand } from './roles-yaml.ts';
import { withheldAmong } from './withheld-among.ts';

const mostNamed = 12;

/** Findings that only lack permissions, or kinds that a dump leaves out, shown as one because one remedy settles all. */
export type WithheldTogether = {
  readonly findings: readonly Finding[];
  /** Sentences: why they are open. */
  readonly because: string;
  /** Imperatives: which Roles to ask for; then what to add to a dump. */
  readonly steps: readonly string[];
  /** Command that prints every rule that the goal needs, for checks and for the run; null if nothing was refused. */
  readonly allRules: string | null;
  /** Command that creates one set of Roles with the rules of all findings; null if nothing was refused. */
  readonly command: string | null;
};

/** Null if `withheldAmong` finds none. `flags`: how the command names the cluster that was checked. */
export function withheldTogether(
  { goal, findings }: Pick<Findings, 'goal' | 'findings'>,
  flags: FlagsByProgram,
): WithheldTogether | null {
  const found = withheldAmong(findings);
  if (found.length === 0) return null;
  const gaps = found.flatMap(({ withheld = [] }) => withheld);
  const rules = gaps.flatMap(({ rule }) => rule ?? []);
  const refused = [...new Set(rules.map(ruleName))];
  const lacking = [...new Set(gaps.flatMap(({ kind, rule }) => (rule ? [] : [kind])))];
  return {
    findings: found,
    because: `Not verified: what they rest on was not read.${refused.length > 0 ? ` Refused to you: ${inList(refused, mostNamed)}.` : ''}`,
    steps: [
      ...(refused.length > 0
        ? ['Ask for these Roles, bound to your account: one set serves for all. Then check again.']
        : []),
      ...(lacking.length > 0 ? [`Add to the dump what it lacks: ${inList(lacking, mostNamed)}.`] : []),
    ],
    allRules: refused.length > 0 ? `signalbox rbac --goal ${goal}` : null,
    command: refused.length > 0 ? withClusterFlags(grantCommand(`check-${goal}`, rules), flags) : null,
  };
}
