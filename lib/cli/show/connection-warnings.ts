import { visibleLine } from '#lib/text/index.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

/** What stands above everything that is said of a cluster whose connection does not protect its credentials. No line where it does. */
export function connectionWarnings(
  warnings: readonly string[] | undefined,
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string[] {
  return (warnings ?? []).map((warning) => paint('amber', wrap(`! ${visibleLine(warning)}`, columns, '', '  ')));
}
