import type { ClusterStatus } from '#lib/status/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { rowsWidth, type Terminal, wrap } from '../terminal/terminal.ts';

/** The kinds that could not be read, each with its reason. */
export function unknownLines(
  unknown: ClusterStatus['unknown'],
  terminal: Pick<Terminal, 'paint' | 'columns' | 'isTerminal'>,
): string[] {
  return unknown.map(({ kind, because }) =>
    terminal.paint('violet', wrap(visibleLine(`? ${kind}: ${because}`), rowsWidth(terminal), '', '  ')),
  );
}
