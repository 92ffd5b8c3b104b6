import { visibleLine } from '#lib/text/index.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

/** Warnings to print first if the connection does not protect credentials; empty if it does. */
export function connectionWarnings(
  warnings: readonly string[] | undefined,
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string[] {
  return (warnings ?? []).map((warning) => paint('amber', wrap(`! ${visibleLine(warning)}`, columns, '', '  ')));
}
