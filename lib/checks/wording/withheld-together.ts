import { inList } from '#lib/base/words.ts';
import { type FlagsByProgram, ledToCluster } from '#lib/text/index.ts';
import type { Finding, Findings } from '../findings.ts';
import { ruleName } from '../framework/missing.ts';
import { grantCommand } from './roles-yaml.ts';
import { withheldAmong } from './withheld-among.ts';

const mostNamed = 12;

/** Findings that wait for nothing but rights, or for kinds of a dump: one answer gives all of them, so they are told as one. */
export type WithheldTogether = {
  readonly findings: readonly Finding[];
  /** Sentences: why they are open. */
  readonly because: string;
  /** Sentences: what was refused, and of whom to ask it; then what to add to a dump. */
  readonly steps: readonly string[];
  /** Prints every rule that the goal needs, for reading and for the run; null where nothing was refused. */
  readonly allRules: string | null;
  /** Makes one set of Roles with the rules of all; null where nothing was refused. */
  readonly command: string | null;
};

/** Null where `withheldAmong` finds none. `flags`: what leads the command to the cluster that was looked at. */
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
    command: refused.length > 0 ? ledToCluster(grantCommand(`check-${goal}`, rules), flags) : null,
  };
}
