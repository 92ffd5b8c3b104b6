import { counted } from '#lib/base/words.ts';
import { type Plan, type PlannedOperation, stationsOf, stepMarks } from '#lib/plan/index.ts';
import { type FlagsByProgram, visible, visibleLine } from '#lib/text/index.ts';
import { headline, type Terminal, wrap } from '../terminal/terminal.ts';
import { commandLines } from './command-lines.ts';
import { connectionWarnings } from './connection-warnings.ts';
import { findingsTable } from './findings-table.ts';

/**
 * The plan as an ordered list: title, reason, exact change, undo and equivalent command of each step. `on`: the flags that name the cluster in its commands and
 * those of its findings.
 */
export function planTable(plan: Plan, terminal: Terminal, on: FlagsByProgram): string {
  const { paint } = terminal;
  const needed = plan.operations.filter((operation) => operation.status === 'needed');
  const writing = needed.filter((operation) => operation.targets.length > 0);
  return [
    ...connectionWarnings(plan.warnings, terminal),
    headline(
      terminal,
      '',
      `${plan.goal} on ${visibleLine(plan.cluster)}: ${counted(writing.length, 'change')} in ${counted(needed.length, 'step')}, ${plan.operations.length - needed.length} already done`,
      [],
    ),
    paint('dim', plan.hash),
    ...(plan.release?.notice ? [paint('amber', wrap(visibleLine(plan.release.notice), terminal.columns))] : []),
    '',
    ...plan.operations.flatMap((operation) => [
      ...stationsOf(plan)
        .filter(({ before }) => before === operation.seq)
        .flatMap(({ version }) => [paint('amber', `    The run pauses here: ${version} runs on every node.`), '']),
      describe(operation, terminal, on),
      '',
    ]),
    ...(plan.findings.verdict === 'ready'
      ? [paint('bold', 'Ready to apply.')]
      : [findingsTable(plan.findings, terminal, 'open', { on })]),
  ].join('\n');
}

function describe(operation: PlannedOperation, terminal: Terminal, on: FlagsByProgram): string {
  const { paint, columns } = terminal;
  const number = String(operation.seq).padStart(2);
  if (operation.status === 'already-done') return paint('dim', `${number}  ✓ ${operation.id}  already done`);
  const { traffic, writes } = stepMarks(operation);
  const undo = operation.undo
    ? `undo: ${operation.undo.title}`
    : operation.reversible
      ? 'nothing to undo'
      : 'cannot be undone';
  return [
    headline(terminal, `${number}  `, visibleLine(operation.title), [
      { text: operation.id, colour: 'dim' },
      { text: traffic.words, colour: traffic.mark === 'none' ? 'dim' : 'amber' },
      { text: writes.words, colour: 'dim' },
    ]),
    wrap(visibleLine(operation.why), columns, '    '),
    ...diffLines(operation.diff, paint),
    ...(operation.command === ''
      ? []
      : [
          paint('dim', '    by hand:'),
          ...commandLines(operation.command, on, '`-o shell` has them whole').map(
            (line) => `      ${paint('blue', line)}`,
          ),
        ]),
    paint('dim', wrap(visibleLine(undo), columns, '    ')),
  ].join('\n');
}

/** A unified diff, indented and coloured; empty for an empty diff. */
export function diffLines(diff: string, paint: Terminal['paint']): string[] {
  if (diff === '') return [];
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => `      ${diffLine(visible(line), paint)}`);
}

function diffLine(line: string, paint: Terminal['paint']): string {
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}
