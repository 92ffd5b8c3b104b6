import type { ReactNode } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { type State, StateIcon, StateMark } from '#components/ui/state-mark.tsx';
import type { Subject } from '#lib/facts/index.ts';
import { openGap } from '../finding-words.ts';
import { type FindingKind, type SameCause, settledKinds } from './finding-filter.ts';
import { keepInAddress } from './line-in-address.ts';

/** One line of the table. `body`: what it opens to, made on the server. */
export type FindingRow = {
  id: string;
  kind: FindingKind;
  mark: { state: State; word: string };
  title: string;
  /** `2 nodes`. */
  where: string;
  group: string;
  /** What happens if nothing is done; for a settled finding, what settled it. */
  outcome: string;
  because: string;
  /** Lines with the same cause are shown behind one line. */
  cause: string | null;
  subjects: readonly Subject[];
  body: ReactNode;
};

export const rowChevron = 'shrink-0 self-center text-ink-3 group-open/row:rotate-90';

/** At the right edge, below those of the lines that are a number. */
const chevronPlace = 'justify-self-end @max-[640px]:col-start-2 @max-[640px]:row-start-1';

/** The columns of the head and of each row; the least important ones are dropped first on a narrower screen. */
export const columns =
  '@[640px]:grid @[640px]:grid-cols-[112px_minmax(0,1fr)_88px_14px] @[960px]:grid-cols-[112px_minmax(0,1.45fr)_88px_minmax(0,.62fr)_minmax(0,1fr)_14px] @[640px]:gap-x-3';

const summaryLook = `grid grid-cols-[minmax(0,1fr)_14px] items-center gap-x-3 px-4 py-1.5 text-sm select-none hover:bg-sunk [&::-webkit-details-marker]:hidden ${columns}`;

/** Findings that are open for the same reason: one line, which opens to their lines. */
export function Cause({
  of: { cause, rows },
  opened,
  explanation,
}: {
  of: SameCause<FindingRow>;
  opened: string | null;
  explanation: ReactNode;
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
        <span className={chevronPlace}>
          <Chevron look="shrink-0 self-center text-ink-3 group-open/cause:rotate-90" />
        </span>
      </summary>
      {explanation}
      <ul className="divide-y divide-line border-t border-l-4 border-line">
        {rows.map((row) => (
          <li key={row.id}>
            <Row row={row} isOpen={row.id === opened} underCause />
          </li>
        ))}
      </ul>
    </details>
  );
}

export function Row({
  row: { id, kind, mark, title, where, group, outcome, body },
  isOpen,
  underCause = false,
}: {
  row: FindingRow;
  isOpen: boolean;
  /** The line of the cause already shows the state, so this line has it only for screen readers. */
  underCause?: boolean;
}) {
  const gap = underCause ? (openGap.exec(title)?.[0] ?? '') : '';
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
            className={`flex flex-wrap items-start gap-x-2 whitespace-nowrap @[640px]:whitespace-normal ${underCause ? '@max-[640px]:hidden' : ''}`}
          >
            {underCause ? <StateIcon state={mark.state} /> : <StateMark state={mark.state}>{mark.word}</StateMark>}
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
          <span className={chevronPlace}>
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
