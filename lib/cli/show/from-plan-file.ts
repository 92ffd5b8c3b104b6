import { counted } from '#lib/base/words.ts';
import type { Findings } from '#lib/checks/index.ts';
import { differenceWords, type PlanDifference } from '#lib/plan/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

/** The answers and accepted risks in a plan file. All of it is untrusted text. */

const shownCharacters = 200;

/** One line for each answer, and for each acceptance that has an effect. */
export function answersOfFile(
  choices: Choices,
  { findings }: Findings,
  { columns }: Pick<Terminal, 'columns'>,
): string {
  const { acknowledge: _acknowledge, installationText: _text, ...answers } = choices;
  const lines = Object.entries(answers)
    .filter(([, value]) => value !== undefined && value !== false && JSON.stringify(value) !== '{}')
    .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${shortened(typeof value === 'string' ? value : JSON.stringify(value))}`);
  const accepted = findings.flatMap(({ id, acknowledged }) =>
    acknowledged === null ? [] : [`${id}: accepted in plan.json: ${shortened(acknowledged)}`],
  );
  return [
    'Answers in plan.json:',
    ...[...lines, ...accepted].map((line) => wrap(visibleLine(line), columns, '  ', '    ')),
  ].join('\n');
}

export function differencesTable(
  differences: readonly PlanDifference[],
  { columns }: Pick<Terminal, 'columns'>,
): string {
  return [
    wrap(
      `The plan made now is not the one in plan.json: ${counted(differences.length, 'difference')}. The plan made now is what is carried out.`,
      columns,
    ),
    ...differences.map((one) => wrap(`• ${visibleLine(inOneLine(differenceWords(one)))}`, columns, '  ', '    ')),
  ].join('\n');
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function shortened(text: string): string {
  const line = inOneLine(text);
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}… (${text.length} characters)` : line;
}
