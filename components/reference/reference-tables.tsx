'use client';

import { useEffect } from 'react';
import { Empty } from '#components/ui/empty.tsx';
import { FilterField } from '#components/ui/filter/filter-field.tsx';
import { useFilter } from '#components/ui/filter/use-filter.ts';
import { wordsOf } from '#components/ui/filter/words-of.ts';
import { Panel } from '#components/ui/panel.tsx';
import type { GatesByRelease, ReferenceTable } from '#lib/reference/index.ts';
import { GateMatrix } from './gate-matrix.tsx';
import { countOf, matchingReleases, matchingRows } from './matching-rows.ts';
import { RecordList } from './record-list.tsx';
import { RowTable } from './row-table.tsx';

/** The tables of one topic under one filter. Without script the filter is asked of the server. */
export function ReferenceTables({
  tables,
  matrix,
  initial,
  opened,
}: {
  tables: readonly ReferenceTable[];
  matrix: GatesByRelease | null;
  /** The filter in the address. */
  initial: string;
  /** The record that the address opens. */
  opened: string | null;
}) {
  const [filter, setFilter] = useFilter(initial);
  useEffect(() => {
    openAddressed();
    window.addEventListener('hashchange', openAddressed);
    return () => window.removeEventListener('hashchange', openAddressed);
  }, []);
  const words = wordsOf(filter);
  const shown = tables.map((part) => matchingRows(part, words));
  const releases = matrix && matchingReleases(matrix, words);
  const all = tables.reduce((sum, part) => sum + countOf(part), 0) + (matrix?.rows.length ?? 0);
  const left = shown.reduce((sum, part) => sum + countOf(part), 0) + (releases?.length ?? 0);
  return (
    <div className="grid grid-cols-1 gap-4">
      <FilterField
        label="Filter rows by text"
        filter={filter}
        onFilter={setFilter}
        counts={[{ of: 'row', all, left }]}
      />
      {left === 0 && (
        <Panel>
          <Empty title="No row has all of these words">
            <p>The search covers every cell, sources and dates too. Signalbox knows nothing beyond these rows.</p>
          </Empty>
        </Panel>
      )}
      {matrix !== null && releases !== null && releases.length > 0 && <GateMatrix matrix={matrix} rows={releases} />}
      {shown
        .filter((part) => countOf(part) > 0)
        .map((part) =>
          part.kind === 'table' ? (
            <RowTable key={part.title} part={part} />
          ) : (
            <RecordList key={part.title} part={part} isFiltered={words.length > 0} opened={opened} />
          ),
        )}
    </div>
  );
}

/** The record that a link of the page leads to. */
function openAddressed(): void {
  const record = document.getElementById(window.location.hash.slice(1));
  if (record instanceof HTMLDetailsElement) record.open = true;
}
