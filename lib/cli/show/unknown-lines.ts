import type { ClusterStatus } from '#lib/status/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

/** The kinds that could not be read, each with its reason. */
export function unknownLines(
  unknown: ClusterStatus['unknown'],
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string[] {
  return unknown.map(({ kind, because }) =>
    paint('violet', wrap(visibleLine(`? ${kind}: ${because}`), columns, '', '  ')),
  );
}
