import { counted, inList } from '#lib/base/words.ts';
import { type Finding, grantCommand, ruleName } from '#lib/checks/index.ts';
import { visible, visibleLine } from '#lib/text/index.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

/** A single one says itself what it lacks. */
const fewest = 2;
const mostRules = 12;

/** Findings that wait for nothing but rights or kinds of a dump: one answer gives all of them, so they are told as one. */
export function withheldFindings(open: readonly Finding[]): Finding[] {
  const found = open.filter(
    ({ status, acknowledged, withheld = [] }) => status === 'unknown' && acknowledged === null && withheld.length > 0,
  );
  return found.length < fewest ? [] : found;
}

/** Lines for all of them; `goal` is what they were asked for. */
export function withheldLines(
  findings: readonly Finding[],
  goal: string,
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string[] {
  const gaps = findings.flatMap(({ withheld = [] }) => withheld);
  const rules = gaps.flatMap(({ rule }) => rule ?? []);
  const refused = [...new Set(rules.map(ruleName))];
  const lacking = [...new Set(gaps.flatMap(({ kind, rule }) => (rule ? [] : [kind])))];
  return [
    `${paint('violet', '?')} ${paint('bold', counted(findings.length, 'finding'))}  ${paint('dim', 'unknown')}`,
    wrap(
      visibleLine(`Not verified, because what they rest on was not read: ${findings.map(({ id }) => id).join(', ')}.`),
      columns,
      '    ',
    ),
    ...(refused.length > 0
      ? [
          wrap(visibleLine(`Refused to you: ${inList(refused, mostRules)}.`), columns, '    '),
          wrap(
            '→ Let somebody create these Roles and bind them to your account, and check again.',
            columns,
            '    ',
            '      ',
          ),
          paint(
            'dim',
            wrap(
              `\`signalbox rbac --goal ${goal}\` prints all that the goal needs, for reading and for the run.`,
              columns,
              '      ',
            ),
          ),
          `      ${paint('blue', visible(grantCommand(`check-${goal}`, rules)))}`,
        ]
      : []),
    ...(lacking.length > 0
      ? [
          wrap(
            visibleLine(`→ Add to the dump what it lacks: ${inList(lacking, mostRules)}.`),
            columns,
            '    ',
            '      ',
          ),
        ]
      : []),
    `    → or accept each that you know: ${paint('blue', "--acknowledge ID='your reason'")}`,
  ];
}
