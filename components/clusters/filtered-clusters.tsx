'use client';

import type { ReactNode } from 'react';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { FilterField } from '#components/ui/filter/filter-field.tsx';
import { useFilter } from '#components/ui/filter/use-filter.ts';
import { hasAll, wordsOf } from '#components/ui/filter/words-of.ts';
import { Panel } from '#components/ui/panel.tsx';

/** `text`: searched by the filter. `row` comes from the server; a row that is filtered out sends no request. */
export type ClusterItem = { readonly slug: string; readonly text: string; readonly row: ReactNode };

/** `heading`: the line that unfolds its rows, if they are folded. */
type ClusterGroup = {
  readonly heading: string | null;
  readonly isOpen: boolean;
  readonly items: readonly ClusterItem[];
};

export type ClusterSection = {
  readonly title: string;
  /** The noun of its rows; sandboxes are counted separately from real clusters. */
  readonly of: string;
  readonly many: string;
  readonly aside: string;
  readonly groups: readonly ClusterGroup[];
};

/** All clusters with one filter, which unfolds groups. */
export function FilteredClusters({ sections, initial }: { sections: readonly ClusterSection[]; initial: string }) {
  const [filter, setFilter] = useFilter(initial);
  const words = wordsOf(filter);
  const shown = sections
    .map((section) => ({
      ...section,
      groups: section.groups
        .map((group) => ({ ...group, items: group.items.filter(({ text }) => hasAll(text, words)) }))
        .filter(({ items }) => items.length > 0),
    }))
    .filter(({ groups }) => groups.length > 0);
  return (
    <div className="flex flex-col gap-4">
      <FilterField
        label="Filter clusters by name, server or what they show"
        filter={filter}
        onFilter={setFilter}
        counts={sections.map(({ title, of, many, groups }) => ({
          of,
          many,
          all: countOf(groups),
          left: countOf(shown.find((section) => section.title === title)?.groups ?? []),
        }))}
      />
      {shown.length === 0 && (
        <Panel>
          <Empty title="No cluster has all of these words">Names, servers and descriptions are searched.</Empty>
        </Panel>
      )}
      {shown.map(({ title, aside, groups }) => (
        <Panel key={title} title={title} aside={aside}>
          {groups.map((group) => (
            <Group key={group.heading} group={group} isFiltered={words.length > 0} />
          ))}
        </Panel>
      ))}
    </div>
  );
}

function Group({ group: { heading, isOpen, items }, isFiltered }: { group: ClusterGroup; isFiltered: boolean }) {
  const rows = (
    <ul>
      {items.map(({ slug, row }) => (
        <li
          key={slug}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-t border-line px-4 py-3 first:border-t-0"
        >
          {row}
        </li>
      ))}
    </ul>
  );
  if (heading === null) return rows;
  return (
    <div className="border-t border-line px-4 py-3 first:border-t-0">
      <Disclosure
        key={isFiltered ? 'filtered' : 'all'}
        open={isOpen || isFiltered}
        summary={
          <span>
            {heading} <span className="text-ink-3">{items.length}</span>
          </span>
        }
      >
        <div className="-mx-4 -mb-3 border-t border-line">{rows}</div>
      </Disclosure>
    </div>
  );
}

function countOf(groups: readonly ClusterGroup[]): number {
  return groups.reduce((sum, { items }) => sum + items.length, 0);
}
