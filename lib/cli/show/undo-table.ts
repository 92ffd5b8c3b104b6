import type { UndoStep } from '#lib/plan/index.ts';
import { visible, visibleLine } from '#lib/text/index.ts';
import { headline, type Terminal } from '../terminal.ts';

/** The way back as an ordered list, with the line that does the same: shown before it is taken. */
export function undoTable(steps: readonly UndoStep[], terminal: Terminal): string {
  return steps
    .flatMap((step, index) => [
      headline(terminal, `${String(index + 1).padStart(2)}  `, visibleLine(step.title), [
        { text: step.id, colour: 'dim' },
      ]),
      ...(step.command ? [`    ${terminal.paint('blue', visible(step.command).split('\n').join('\n      '))}`] : []),
    ])
    .join('\n');
}
