'use client';

import { useSearchParams } from 'next/navigation';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { type State, StateIcon, StateMark, stateText } from '#components/ui/state-mark.tsx';
import { thousands } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';
import {
  byCause,
  type FindingFilter,
  type FindingKind,
  filterOf,
  findingKinds,
  findingOfHash,
  hashOf,
  matching,
  queryOf,
  type SameCause,
  settledKinds,
  shownUnasked,
  toldByNumber,
} from './finding-filter.ts';
import { kindWords, openGap } from './finding-words.ts';
import { subjectName } from './subject-name.ts';

/** One line of the table. `body`: what it opens to, made on the server. */
export type FindingRow = {
  id: string;
  kind: FindingKind;
  mark: { state: State; word: string };
  title: string;
  /** `2 nodes`. */
  where: string;
  group: string;
  /** What happens where it is left as it is; of a settled one, what settled it. */
  outcome: string;
  because: string;
  /** Lines that have the same stand behind one. */
  cause: string | null;
  subjects: readonly Subject[];
  body: ReactNode;
};

const rowChevron = 'shrink-0 self-center text-ink-3 group-open/row:rotate-90';

/** Columns of the head and of each row; on narrower screens what is the least needed goes first. */
const columns =
  '@[640px]:grid @[640px]:grid-cols-[112px_minmax(0,1fr)_88px_14px] @[960px]:grid-cols-[112px_minmax(0,1.45fr)_88px_minmax(0,.62fr)_minmax(0,1fr)_14px] @[640px]:gap-x-3';

/**
 * Findings as lines that open in place, worst first. What is looked for stands in the address, and so does the line that is open. Without script the
 * filters are links and a form, and lines open all the same.
 */
export function FindingRows({
  rows,
  ofCauses,
  canAnswer,
}: {
  rows: readonly FindingRow[];
  /** By cause: what is said once for all lines behind it. */
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
    return new Set(matching(searched, filter).map(({ id }) => id));
  }, [rows, filter]);
  const inSearch = rows.filter(({ id }) => found.has(id));
  const of = (kind: FindingKind) => inSearch.filter((row) => row.kind === kind);
  const [opened] = useState(useSearchParams().get('finding'));
  const addressed = useAddressed(opened);
  const shown = filter.kind === null ? shownUnasked(inSearch, addressed) : of(filter.kind);
  const numbers = filter.kind === null ? toldByNumber.filter((kind) => of(kind).length > 0) : [];
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
            : `${thousands(rows.length)} findings are here. Another word, state or category shows them.`}
        </Empty>
      )}
    </>
  );
}

/** The filter is the address's: a link shows the same. */
function useFilter(groups: readonly string[]) {
  const query = useSearchParams();
  const asked = filterOf(query, groups);
  // What is typed is shown at once; the address follows when it rests, as browsers let it change only so often.
  const [text, setText] = useState(asked.text);
  const written = useRef(asked.text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (asked.text !== written.current) setText(asked.text);
    written.current = asked.text;
  }, [asked.text]);
  const show = (filter: FindingFilter) => {
    written.current = filter.text;
    window.history.replaceState(null, '', `${window.location.pathname}${queryOf(filter, window.location.search)}`);
  };
  const setFilter = (filter: FindingFilter, event?: MouseEvent) => {
    // Another tab, a download: the browser's own affair.
    if (event !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return;
    event?.preventDefault();
    clearTimeout(timer.current);
    if (filter.text === text) return show(filter);
    setText(filter.text);
    timer.current = setTimeout(() => show(filter), 150);
  };
  const hrefOf = (filter: FindingFilter) => queryOf(filter, query.toString()) || '?';
  return { filter: { ...asked, text }, setFilter, hrefOf };
}

function Toolbar({
  filter,
  groups,
  counts,
  setFilter,
  hrefOf,
}: {
  filter: FindingFilter;
  groups: readonly string[];
  /** Of a kind, among those that the search finds; null: all that are open. */
  counts: (kind: FindingKind | null) => number;
  setFilter: (filter: FindingFilter, event?: MouseEvent) => void;
  hrefOf: (filter: FindingFilter) => string;
}) {
  const look = 'min-h-8 rounded-md border border-edge bg-sheet px-2 py-1 text-sm text-ink placeholder:text-ink-3';
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2.5">
      <form
        method="get"
        aria-label="Filter the findings"
        className="contents"
        onSubmit={(event) => event.preventDefault()}
      >
        {filter.kind !== null && <input type="hidden" name="state" value={filter.kind} />}
        <input
          type="search"
          name="q"
          aria-label="Filter findings by text"
          placeholder="Node, object, words"
          autoComplete="off"
          spellCheck={false}
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.target.value })}
          className={`w-44 max-w-full ${look}`}
        />
        <select
          name="group"
          aria-label="Filter findings by category"
          value={filter.group ?? ''}
          onChange={(event) => setFilter({ ...filter, group: event.target.value || null })}
          className={`max-w-full @[960px]:order-last @[960px]:ml-auto @[960px]:w-36 ${look}`}
        >
          <option value="">Category: all</option>
          {groups.map((group) => (
            <option key={group}>{group}</option>
          ))}
        </select>
      </form>
      <nav aria-label="States" className="flex flex-wrap gap-1">
        {[null, ...findingKinds].map((kind) => {
          const count = counts(kind);
          const isHere = filter.kind === kind;
          if (kind === 'note' && count === 0 && !isHere) return null;
          return (
            <a
              key={kind ?? 'open'}
              href={hrefOf({ ...filter, kind })}
              aria-current={isHere ? 'true' : undefined}
              onClick={(event) => setFilter({ ...filter, kind }, event)}
              className={`flex min-h-7 items-center gap-1 rounded-md border px-1.5 text-sm font-[560] whitespace-nowrap no-underline hover:bg-sunk aria-[current]:border-edge aria-[current]:bg-sunk ${
                count === 0
                  ? 'border-transparent text-ink-3 @max-[640px]:not-aria-[current]:hidden'
                  : 'border-line text-ink'
              }`}
            >
              {kind !== null && (
                <span className={count === 0 ? 'grayscale' : stateText[kindWords[kind].state]}>
                  <StateIcon state={kindWords[kind].state} />
                </span>
              )}
              {kind === null ? 'Open' : kindWords[kind].word} {thousands(count)}
            </a>
          );
        })}
      </nav>
    </div>
  );
}

/** What the letters do on a line that has the focus; each presses what the opened line has for it. */
const rowKeys: Readonly<Record<string, string>> = {
  f: 'add the fix to the plan',
  a: 'accept with a reason',
  c: 'check again',
};

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
    const step = key === 'j' ? 1 : key === 'k' ? -1 : 0;
    if (step !== 0) {
      const lines = [...(list.current?.querySelectorAll<HTMLElement>('summary[data-line]') ?? [])];
      const inSight = lines.filter((line) => line.checkVisibility());
      inSight[inSight.indexOf(target) + step]?.focus();
    } else if (key in rowKeys && target.dataset.line !== 'cause') press(target, key);
    else if (/^[1-7]$/.test(key))
      document.querySelectorAll<HTMLElement>('nav[aria-label="States"] a')[Number(key) - 1]?.click();
  };
  return (
    <ul ref={list} onKeyDown={go} className="divide-y divide-line">
      {rows.map((row) =>
        'rows' in row ? (
          <li key={row.cause}>
            <Cause of={row} opened={opened} said={ofCauses[row.cause]} />
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

/** Opens the line, and presses in it what the key names; where it has nothing for it, it is only opened. */
function press(line: HTMLElement, key: string): void {
  const row = line.closest('details');
  if (row === null) return;
  row.open = true;
  const found = row.querySelector<HTMLElement>(`[data-key="${key}"]`);
  const form = found?.closest('details');
  if (found instanceof HTMLInputElement && form) {
    form.open = true;
    requestAnimationFrame(() => found.focus());
  } else found?.click();
}

/** The keys, where the table ends. */
function KeyHints({ keys: letters }: { keys: readonly string[] }) {
  const hint = (keys: readonly string[], does: string) => (
    <span key={does} className="inline-flex items-center gap-1.5">
      {keys.map((key) => (
        <kbd key={key} className="rounded border border-edge bg-sheet px-1 text-xs">
          {key}
        </kbd>
      ))}
      {does}
    </span>
  );
  return (
    <p className="hidden flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm text-ink-3 @[640px]:flex">
      <span>On a line:</span>
      {hint(['j', 'k'], 'next, previous')}
      {hint(['Enter'], 'open')}
      {letters.map((key) => hint([key], rowKeys[key] ?? ''))}
      {hint(['1 – 7'], 'filter by state')}
    </p>
  );
}

const summaryLook = `grid grid-cols-[minmax(0,1fr)_14px] items-center gap-x-3 px-4 py-1.5 text-sm select-none hover:bg-sunk [&::-webkit-details-marker]:hidden ${columns}`;

/** What is open for one reason: one line, with the lines behind it. */
function Cause({
  of: { cause, rows },
  opened,
  said,
}: {
  of: SameCause<FindingRow>;
  opened: string | null;
  said: ReactNode;
}) {
  const [{ mark, where }] = rows as [FindingRow];
  const shared = rows.every((row) => row.where === where) ? where : '';
  return (
    <details open={rows.some(({ id }) => id === opened)} className="group/cause">
      <summary data-line="cause" className={summaryLook}>
        <StateMark state={mark.state}>{mark.word}</StateMark>
        <span className="min-w-0 font-semibold @max-[640px]:col-start-1">
          {rows.length} checks: {mark.word.toLowerCase()}
          <span className="sr-only">. {cause}</span>
        </span>
        <span className="whitespace-nowrap text-ink-2 @max-[640px]:hidden">{shared}</span>
        <span
          aria-hidden="true"
          className="min-w-0 truncate text-ink-2 @max-[960px]:hidden @min-[960px]:col-span-2"
          title={cause}
        >
          {cause}
        </span>
        <span className="@max-[640px]:col-start-2 @max-[640px]:row-start-1">
          <Chevron look="shrink-0 self-center text-ink-3 group-open/cause:rotate-90" />
        </span>
      </summary>
      {said}
      <ul className="divide-y divide-line border-t border-l-4 border-line">
        {rows.map((row) => (
          <li key={row.id}>
            <Row row={row} isOpen={row.id === opened} isStateTold />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Row({
  row: { id, kind, mark, title, where, group, outcome, body },
  isOpen,
  isStateTold = false,
}: {
  row: FindingRow;
  isOpen: boolean;
  /** By the line that this one stands behind: here it is heard, and not seen again. */
  isStateTold?: boolean;
}) {
  const gap = isStateTold ? (openGap.exec(title)?.[0] ?? '') : '';
  return (
    <article aria-labelledby={`title-${id}`} className={kind === 'outage' ? 'bg-red-tint' : ''}>
      <details
        name="finding"
        open={isOpen}
        onToggle={(event) => keepInAddress(id, event.currentTarget.open)}
        className="group/row open:border-l-2 open:border-blue open:bg-sunk"
      >
        <summary data-line="finding" className={`${summaryLook} group-open/row:pl-3.5`}>
          <span
            className={`flex flex-wrap items-baseline gap-x-2 whitespace-nowrap @[640px]:whitespace-normal ${isStateTold ? '@max-[640px]:hidden' : ''}`}
          >
            {isStateTold ? <StateIcon state={mark.state} /> : <StateMark state={mark.state}>{mark.word}</StateMark>}
            <span className="text-ink-3 @[640px]:hidden">{where}</span>
          </span>
          <h3
            id={`title-${id}`}
            className={`min-w-0 [overflow-wrap:anywhere] @max-[640px]:col-start-1 ${settledKinds.has(kind) ? 'font-normal' : 'font-semibold'}`}
          >
            {title.slice(0, title.length - gap.length)}
            <span className="sr-only">{gap}</span>
          </h3>
          <span className="whitespace-nowrap text-ink-2 @max-[640px]:hidden">{where}</span>
          <span className="text-ink-2 @max-[960px]:hidden">{group}</span>
          <span className="min-w-0 text-ink-2 [overflow-wrap:anywhere] @max-[960px]:hidden">{outcome}</span>
          <span className="@max-[640px]:col-start-2 @max-[640px]:row-start-1">
            <Chevron look={rowChevron} />
          </span>
        </summary>
        <div id={`finding-${id}`} className="scroll-mt-12 px-4 pt-1 pb-3.5">
          {body}
        </div>
      </details>
    </article>
  );
}

/** The finding that the address names, as it was when the page came or was last followed. */
function useAddressed(opened: string | null): string | null {
  const [addressed, setAddressed] = useState(opened);
  useEffect(() => {
    const read = () => setAddressed(findingOfHash(window.location.hash));
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return addressed;
}

/** `#finding-<id>` opens that line; `keepInAddress` writes the one that is opened there. */
function useOpenByAddress(
  list: RefObject<HTMLUListElement | null>,
  rows: readonly (FindingRow | SameCause<FindingRow>)[],
) {
  const ids = rows.map((row) => ('rows' in row ? row.cause : row.id)).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that come later are looked through again
  useEffect(() => {
    const open = () => {
      const id = findingOfHash(window.location.hash);
      const line = id === null ? null : document.getElementById(`finding-${id}`)?.closest('details');
      if (!line || line.open || !list.current?.contains(line)) return;
      const cause = line.closest<HTMLDetailsElement>('details.group\\/cause');
      if (cause) cause.open = true;
      line.open = true;
      line.scrollIntoView({ block: 'nearest' });
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [ids, list]);
}

/** One line is open at a time. Of two that change at once the one that closes may be told last: it takes away only its own name. */
function keepInAddress(id: string, isOpen: boolean): void {
  const { hash, pathname, search } = window.location;
  if ((findingOfHash(hash) === id) === isOpen) return;
  // With Next's own state it is no navigation: one would throw away the answer of an action that is under way.
  const query = new URLSearchParams(search);
  // Which line the page came with open is over.
  query.delete('finding');
  const text = query.size === 0 ? '' : `?${query}`;
  window.history.replaceState(window.history.state, '', `${pathname}${text}${isOpen ? hashOf(id) : ''}`);
}
