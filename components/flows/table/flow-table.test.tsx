import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { usualColumns } from './flow-columns.tsx';
import { FlowTable } from './flow-table.tsx';

/** As the server sends it, and as it stays without script. */
function markupOf(count: number): string {
  const flows = Array.from({ length: count }, (_, index) => ({ ...aFlow({ port: index + 1 }), id: `f${index}` }));
  const nothing = () => {};
  return renderToStaticMarkup(
    <FlowTable
      flows={flows}
      viewKey=""
      columns={usualColumns}
      days="today"
      opened={null}
      onOpen={nothing}
      onQuery={nothing}
      onWhy={nothing}
      onSuggest={nothing}
    />,
  );
}

const rowsOf = (markup: string) => markup.match(/<tr [^>]*aria-rowindex="\d+"/g)?.length;
const rowCountOf = (markup: string) => Number(/aria-rowcount="(\d+)"/.exec(markup)?.[1]);

test.each([
  [7, 8],
  [50, 51],
  [2_000, 51],
])('of %i flows without script as many rows are told as are there, with the head: %i', (count, rows) => {
  const markup = markupOf(count);
  expect([rowsOf(markup), rowCountOf(markup)]).toEqual([rows, rows]);
});
