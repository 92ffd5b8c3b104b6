import { counted } from '#lib/base/words.ts';
import type { WithheldTogether } from '#lib/checks/index.ts';
import { visible, visibleLine } from '#lib/text/index.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

/** Lines for findings that lack the same permissions or kinds. */
export function withheldLines(
  { findings, because, steps, allRules, command }: WithheldTogether,
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string[] {
  return [
    `${paint('violet', '?')} ${paint('bold', counted(findings.length, 'finding'))}  ${paint('dim', 'unknown')}`,
    wrap(visibleLine(because), columns, '    '),
    wrap(visibleLine(`They are: ${findings.map(({ id }) => id).join(', ')}.`), columns, '    '),
    ...steps.map((step) => wrap(visibleLine(`→ ${step}`), columns, '    ', '      ')),
    ...(allRules === null
      ? []
      : [
          paint(
            'dim',
            wrap(`\`${allRules}\` prints all that the goal needs, for reading and for the run.`, columns, '      '),
          ),
        ]),
    ...(command === null ? [] : [`      ${paint('blue', visible(command))}`]),
    `    → or accept each that you know: ${paint('blue', "--acknowledge ID='your reason'")}`,
  ];
}
