import type { ReactNode } from 'react';
import { TableBox } from '#components/ui/table-box.tsx';
import { thousands } from '#lib/base/words.ts';
import { bytesText } from '#lib/flows/in-browser.ts';
import { OneLine } from './one-line.tsx';

export type SummedColumn<Row> = {
  readonly head: string;
  /** Classes for the width and for hiding the column on narrow pages. */
  readonly className: string;
  /** Numbers are aligned right; long words are cut, with the full text as the cell's title. */
  readonly kind: 'number' | 'words' | 'code';
  readonly text: (row: Row) => string;
  readonly isRed?: (row: Row) => boolean;
};

/** The column of bytes, which each table of sums has. */
export const bytesColumn = (className: string): SummedColumn<{ readonly bytes: number }> => ({
  head: 'Bytes',
  className,
  kind: 'number',
  text: ({ bytes }) => bytesText(bytes),
});
export const deniedColumn = (className: string): SummedColumn<{ readonly denied: number }> => ({
  head: 'Denied',
  className,
  kind: 'number',
  text: ({ denied }) => thousands(denied),
  isRed: ({ denied }) => denied > 0,
});

const ofKind = {
  number: 'text-right! whitespace-nowrap',
  words: 'truncate',
  code: 'truncate font-mono text-xs',
} as const;

/** A table of sums of flows. The first cell names the row and links to its flows. */
export function SummedTable<Row>({
  label,
  caption,
  first,
  name,
  columns,
  rows,
  onQuery,
}: {
  label: string;
  caption?: string;
  first: { readonly head: string | undefined; readonly below?: (row: Row) => ReactNode };
  name: (row: Row) => { readonly text: string; readonly query: string | null };
  columns: readonly SummedColumn<Row>[];
  rows: readonly Row[];
  onQuery: (query: string) => void;
}) {
  return (
    <TableBox label={label}>
      {/* On the narrowest screens names keep their words whole, and the box scrolls. */}
      <table className="table-fixed tabular-nums max-[379px]:min-w-88">
        {caption !== undefined && <caption className="sr-only">{caption}</caption>}
        <thead>
          <tr>
            <th scope="col">{first.head}</th>
            {columns.map(({ head, className, kind }) => (
              <th key={head} scope="col" className={`${className} ${kind === 'number' ? 'text-right!' : ''}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => {
            const { text, query } = name(row);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is a place: what comes moves names from place to place, and nothing on the page.
              <tr key={place} className="border-t border-line">
                <td title={text}>
                  <OneLine text={text} query={query} onQuery={onQuery} />
                  {first.below?.(row)}
                </td>
                {columns.map((column) => (
                  <td
                    key={column.head}
                    className={`${column.className} ${ofKind[column.kind]} ${column.isRed?.(row) ? 'text-red' : ''}`}
                    title={column.kind === 'number' ? undefined : column.text(row)}
                  >
                    {column.text(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableBox>
  );
}
