import Link from 'next/link';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import type { Draft } from '#lib/console/host.ts';
import { changePath, type FoundRow } from '#lib/console/wizard/index.ts';

/** The panel of facts that the plan rests on. Each row has the value, its proof, the object it was read from, and a link to the step that changes it. */
export function FoundFacts({
  rows,
  draft,
  observedAt,
  isQuiet,
}: {
  rows: readonly FoundRow[];
  draft: Draft;
  observedAt: string;
  /** Rows that hold are drawn in grey. Set while a finding blocks the plan, so that its rows stand out. */
  isQuiet: boolean;
}) {
  return (
    <Panel
      title="Found"
      // The panel grows to the height of the column beside it.
      className="flex flex-col self-start min-[1100px]:min-h-[min(100%,42rem)]"
      aside={
        <span className="text-sm">
          read <RelativeTime at={observedAt} />
        </span>
      }
    >
      <dl className="grid flex-1 grid-cols-1 divide-y divide-line text-sm">
        {rows.map(({ what, value, isCode, proof, source, change }) => (
          <div
            key={what}
            className="grid grid-cols-[minmax(0,1fr)_auto] content-center gap-x-3 px-4 py-[9px] sm:grid-cols-[100px_minmax(0,1fr)_156px_52px]"
          >
            <dt className="text-ink-3">{what}</dt>
            <dd className="min-w-0 max-sm:col-span-2 max-sm:row-start-2">
              <span
                className={`[overflow-wrap:anywhere] ${isQuiet && (proof === null || proof.state === 'ok') ? 'text-ink-2' : ''} ${isCode ? 'font-mono text-[12.5px]' : ''}`}
              >
                {value}
              </span>
              {proof !== null && (
                <span className={`block ${isQuiet && proof.state === 'ok' ? 'grayscale' : ''}`}>
                  <StateMark state={proof.state}>{proof.words}</StateMark>
                </span>
              )}
            </dd>
            <dd className="text-xs leading-[18px] text-ink-3 [overflow-wrap:anywhere] max-sm:col-span-2 max-sm:row-start-3">
              {source}
            </dd>
            <dd className="max-sm:col-start-2 max-sm:row-start-1">
              {change !== null && (
                <Link
                  href={changePath(draft.cluster, draft.id, change)}
                  prefetch={false}
                  className="-my-[3px] inline-flex min-h-6 items-center no-underline hover:underline"
                  aria-label={`Change: ${what}`}
                >
                  Change
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
