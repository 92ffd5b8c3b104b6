import type { UndoStep } from '#lib/plan/index.ts';
import { printable, type Terminal } from '../terminal.ts';

/** The way back as an ordered list, with the line that does the same: shown before it is taken. */
export function undoTable(steps: readonly UndoStep[], { paint }: Terminal): string {
  return steps
    .flatMap((step, index) => [
      `${String(index + 1).padStart(2)}  ${paint('bold', printable(step.title))}  ${paint('dim', step.id)}`,
      ...(step.command ? [`    ${paint('blue', printable(step.command).split('\n').join('\n      '))}`] : []),
    ])
    .join('\n');
}
