'use client';

import { useSearchParams } from 'next/navigation';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { stepByLetter } from '#components/ui/rows/step-by-letter.ts';
import { StateMark } from '#components/ui/state-mark.tsx';
import { agreeing, counted } from '#lib/base/words.ts';
import { kindWords } from '../finding-words.ts';
import { subjectName } from '../subject-name.ts';
import {
  byCause,
  countedKinds,
  type FindingKind,
  matchingRows,
  type SameCause,
  settledKinds,
  shownUnasked,
} from './finding-filter.ts';
import { Cause, columns, type FindingRow, Row, rowChevron } from './finding-line.tsx';
import { Toolbar, useFilter } from './finding-toolbar.tsx';
import { useAddressed, useOpenByAddress } from './line-in-address.ts';
import { KeyHints, pressInRow, rowKeys } from './row-keys.tsx';

/**
 * Findings as lines that open in place, worst first. The filter and the open line are in the address, so that a link shows the same. Without a script the
 * filters are links and a form, and lines open too.
 */
export function FindingRows({
  rows,
  ofCauses,
  canAnswer,
}: {
  rows: readonly FindingRow[];
  /** By cause: the explanation that its lines share. */
  ofCauses: Readonly<Record<string, ReactNode>>;
  canAnswer: boolean;
}) {
  const groups = useMemo(() => [...new Set(rows.map(({ group }) => group))], [rows]);
  const { filter, setFilter, hrefOf } = useFilter(groups);
  const found = useMemo(() => {
    const searched = rows.map(({ id, kind, group, title, because, outcome, subjects }) => ({
      id,
      kind,
      group,
      words: [id, title, because, outcome, ...subjects.map((one) => `${subjectName(one)} ${one.detail}`)],
    }));
    return new Set(matchingRows(searched, filter).map(({ id }) => id));
  }, [rows, filter]);
  const inSearch = rows.filter(({ id }) => found.has(id));
  const of = (kind: FindingKind) => inSearch.filter((row) => row.kind === kind);
  const [opened] = useState(useSearchParams().get('finding'));
  const addressed = useAddressed(opened);
  const shown = filter.kind === null ? shownUnasked(inSearch, addressed) : of(filter.kind);
  const numbers = filter.kind === null ? countedKinds.filter((kind) => of(kind).length > 0) : [];
  const open = inSearch.filter(({ kind }) => !settledKinds.has(kind)).length;
  const firstSettled = filter.kind === null ? shown.find(({ kind }) => settledKinds.has(kind))?.id : undefined;
  return (
    <>
      <Toolbar
        filter={filter}
        groups={groups}
        counts={(kind) => (kind === null ? open : of(kind).length)}
        setFilter={setFilter}
        hrefOf={hrefOf}
      />
      <div
        aria-hidden="true"
        className={`hidden items-center border-b border-line px-4 py-2 text-sm font-[560] text-ink-3 ${columns}`}
      >
        <span>State</span>
        <span>Finding</span>
        <span>Where</span>
        <span className="@max-[960px]:hidden">Category</span>
        <span className="@max-[960px]:hidden">If ignored</span>
      </div>
      <Rows rows={byCause(shown)} opened={opened} ofCauses={ofCauses} firstSettled={firstSettled ?? null} />
      {numbers.map((kind) => (
        <a
          key={kind}
          href={hrefOf({ ...filter, kind })}
          onClick={(event) => setFilter({ ...filter, kind }, event)}
          className="flex min-h-8 items-center gap-3 border-t border-line px-4 py-1.5 text-sm text-ink-2 no-underline hover:bg-sunk"
        >
          <span className="whitespace-nowrap">
            <StateMark state={kindWords[kind].state}>
              {of(kind).length} {kind === 'pass' ? 'pass' : of(kind).length === 1 ? 'does not apply' : 'do not apply'}
            </StateMark>
          </span>
          <span className="min-w-0 flex-1 truncate">
            {of(kind)
              .map(({ title }) => title.replace(/: does not apply(?: yet)?$/, ''))
              .join(' · ')}
          </span>
          <Chevron look={rowChevron} />
        </a>
      ))}
      {shown.length > 0 && <KeyHints keys={canAnswer ? ['f', 'a', 'c'] : ['c']} />}
      {shown.length + numbers.length === 0 && (
        <Empty title="No matching finding">
          {rows.length === 0
            ? 'No check has anything to say for this goal.'
            : `${counted(rows.length, 'finding')} ${agreeing(rows.length, 'is', 'are')} here. Another word, state or category shows them.`}
        </Empty>
      )}
    </>
  );
}

/** Single letters work while a line has the focus: anywhere else they are the reader's own (WCAG 2.1.4). */
function Rows({
  rows,
  opened,
  ofCauses,
  firstSettled,
}: {
  rows: readonly (FindingRow | SameCause<FindingRow>)[];
  /** The line that is open from the first paint on. */
  opened: string | null;
  ofCauses: Readonly<Record<string, ReactNode>>;
  firstSettled: string | null;
}) {
  const list = useRef<HTMLUListElement>(null);
  useOpenByAddress(list, rows);
  const go = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!target.matches('summary[data-line]')) return;
    const step = stepByLetter(event);
    if (step !== 0) {
      const lines = [...(list.current?.querySelectorAll<HTMLElement>('summary[data-line]') ?? [])];
      const inSight = lines.filter((line) => line.checkVisibility());
      inSight[inSight.indexOf(target) + step]?.focus();
    } else if (key in rowKeys && target.dataset.line !== 'cause') pressInRow(target, key);
    else if (/^[1-7]$/.test(key))
      document.querySelectorAll<HTMLElement>('nav[aria-label="States"] a')[Number(key) - 1]?.click();
  };
  return (
    <ul ref={list} onKeyDown={go} className="divide-y divide-line">
      {rows.map((row) =>
        'rows' in row ? (
          <li key={row.cause}>
            <Cause of={row} opened={opened} explanation={ofCauses[row.cause]} />
          </li>
        ) : (
          <li key={row.id}>
            {row.id === firstSettled && (
              <h3 className="border-b border-line bg-paper px-4 py-1.5 text-sm font-[560] text-ink-3">Settled</h3>
            )}
            <Row row={row} isOpen={row.id === opened} />
          </li>
        ),
      )}
    </ul>
  );
}
