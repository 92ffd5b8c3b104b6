import { blocks, table } from './markdown.ts';
import { markdownOf } from './reference-table.ts';
import { gateLetters, gatesByRelease, gateTable } from './tables/gates.ts';

export function gatesPage(): string {
  const { gates, rows, textOnly } = gatesByRelease();
  const letters = Object.entries(gateLetters).map(([letter, means]) => `${letter}: ${means}.`);
  return blocks(
    'A version or a kernel at which something is known to go wrong, or before which something does not exist. All that a row says must hold.',
    '## Gates and releases',
    `${letters.join(' ')} Empty: nothing is known, which is not a promise.`,
    table(
      ['Release', ...gates.map(({ id }) => id)],
      rows.map(({ release, cells }) => [release, ...cells.map((letters) => letters.join(' '))]),
    ),
    `${textOnly.join(', ')} ${textOnly.length === 1 ? 'stands' : 'stand'} in no column: releases alone do not tell.`,
    markdownOf(gateTable()),
  );
}
