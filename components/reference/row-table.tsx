import { Panel } from '#components/ui/panel.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import type { ReferenceTable } from '#lib/reference/index.ts';
import { Cell } from './cell.tsx';
import { SourceText } from './source-text.tsx';

/** On a card, the label stands before the words instead of above them. */
const beside = 'max-[759px]:before:!mr-2 max-[759px]:before:!inline';

/** Only words that no column holds may be broken: where any word may, the browser makes a column of short ones narrower than they are. */
function breaksOf(value: unknown): string {
  const isShort = typeof value === 'string' && value.split(/\s/).every((word) => word.length <= longestWord);
  return isShort ? '' : '[overflow-wrap:anywhere]';
}
const longestWord = 20;

/** A table; on a narrow screen each row is a card whose cells bear the names of their columns. */
export function RowTable({ part }: { part: Extract<ReferenceTable, { kind: 'table' }> }) {
  return (
    <Panel title={part.title} aside={part.rows.length}>
      {part.intro !== '' && (
        <p className="max-w-[80ch] px-4 pt-3 text-sm max-[759px]:pb-3 text-ink-2">
          <WithCode text={part.intro} />
        </p>
      )}
      <table className="w-full border-collapse text-sm [&_td]:px-4 [&_td]:align-top [&_th]:px-4 [&_th]:py-2 [&_th]:text-left [&_th]:font-medium [&_th]:text-ink-3">
        <caption className="sr-only">{part.title}</caption>
        <thead className="max-[759px]:sr-only">
          <tr>
            {part.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col" className="w-[26%]">
              Source
            </th>
            <th scope="col">Read</th>
          </tr>
        </thead>
        <tbody>
          {part.rows.map((row) => (
            <tr
              key={row.id}
              className="border-t border-line max-[759px]:block max-[759px]:py-2 min-[760px]:[&_td]:py-2 max-[759px]:[&_td]:block max-[759px]:[&_td]:py-1 max-[759px]:[&_td]:before:block max-[759px]:[&_td]:before:text-xs max-[759px]:[&_td]:before:text-ink-3 max-[759px]:[&_td]:before:content-[attr(data-label)]"
            >
              {part.columns.map((column, at) => {
                const value = row.cells[at] ?? '';
                return (
                  <td
                    key={column}
                    data-label={column}
                    className={`min-w-0 ${breaksOf(value)} ${at === 0 ? 'font-[560]' : ''} ${value === '' ? 'max-[759px]:!hidden' : ''}`}
                  >
                    <Cell value={value} />
                  </td>
                );
              })}
              <td data-label="Source" className={`text-ink-2 [overflow-wrap:anywhere] ${beside}`}>
                <SourceText source={row.source} />
              </td>
              <td data-label="Read" className={`whitespace-nowrap text-ink-2 ${beside}`}>
                <time dateTime={row.read}>{row.read}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
