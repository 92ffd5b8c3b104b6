import { expect, test } from 'vitest';
import { isUnknown } from '#lib/spec/index.ts';
import { referencePages } from './pages.ts';
import { referenceTopics } from './topics.ts';

const parts = referenceTopics.flatMap(({ name, tables }) => tables().map((part) => ({ name, part })));
const label = ({ name, part }: (typeof parts)[number]) => [`${name}: ${part.title}`, part] as const;
test('how to find out what is unknown of an immutable system is said once, not in each row', () => {
  const table = parts.find(({ part }) => part.title === 'Immutable systems')?.part;
  expect(table?.intro).toMatch(
    /An unknown `cgroupV2Path`: Run a privileged pod .* An unknown `flexVolumePath`: Set `None`/,
  );
  const cells = table?.kind === 'table' ? table.rows.flatMap((row) => row.cells) : [];
  const unknown = cells.filter(isUnknown).map((cell) => cell.unknown);
  expect([unknown.length > 5, new Set(unknown)]).toEqual([true, new Set([''])]);
});

const docs = [...referencePages().values()].join('\n');

test.each(parts.map(label))('%s: rows are told apart, and each names source and date', (_, part) => {
  const rows = part.kind === 'table' ? part.rows : part.records;
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  for (const { source, read } of rows) expect([source === '', /^\d{4}-\d{2}-\d{2}$/.test(read)]).toEqual([false, true]);
});

test.each(parts.map(label))('%s: every cell stands in docs/reference too', (_, part) => {
  const cells =
    part.kind === 'table'
      ? part.rows.flatMap((row) => {
          expect(row.cells).toHaveLength(part.columns.length);
          return row.cells;
        })
      : part.records.flatMap(({ facts }) => facts.map(({ text }) => text));
  for (const cell of cells) expect(docs).toContain((isUnknown(cell) ? cell.unknown : cell).replaceAll('|', '\\|'));
});
