import { Panel } from '#components/ui/panel.tsx';
import { StateIcon } from '#components/ui/state-mark.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { duration, thousands } from '#lib/base/words.ts';
import type { RunView } from '#lib/console/wire.ts';

/** Who holds the run up now: each by its name and its own words. Between two waits its place is kept, so that what is below stands still. */
export function WaitsFor({ now, nowMs }: { now: RunView['now']; nowMs: number }) {
  return (
    <div className="grid min-h-44">
      {now === null || now.awaiting === null ? (
        <Panel title="Waits for">
          <p className="px-4 pt-3 text-sm text-ink-2">Nothing now: a step is at work.</p>
        </Panel>
      ) : (
        <Awaited now={now} awaiting={now.awaiting} nowMs={nowMs} />
      )}
    </div>
  );
}

function Awaited({ now, awaiting, nowMs }: { now: NonNullable<RunView['now']>; awaiting: string; nowMs: number }) {
  const shown = now.heldUpBy.slice(0, mostShown);
  const rest = now.heldUpBy.length - shown.length;
  return (
    <Panel
      title="Waits for"
      aside={<span className="text-sm">{duration((nowMs - Date.parse(now.since)) / 1000)} so far</span>}
    >
      {/* It goes on from the title, and may begin with a name: `calico-node to restart on every node`. */}
      <p className="px-4 pt-3 [overflow-wrap:anywhere]">{awaiting}</p>
      {shown.length > 0 && (
        <ul className="px-4 pt-2 text-sm">
          {shown.map(({ kind, namespace, name, detail }) => (
            <li key={`${kind} ${namespace} ${name}`} className="py-0.5 [overflow-wrap:anywhere]">
              <span className="font-[560]">{name}</span> <span className="text-ink-2">{detail}</span>
            </li>
          ))}
          {rest > 0 && <li className="py-0.5 text-ink-3">and {thousands(rest)} more</li>}
        </ul>
      )}
      <p className="mt-3 border-t border-line px-4 py-2.5 text-sm text-ink-3">
        Usually {duration(now.usualSeconds)}
        {now.deadlineAt !== null && (
          <>
            ; the run pauses at <ClockTime at={now.deadlineAt} to="minute" /> if it has not come
          </>
        )}
        .
      </p>
    </Panel>
  );
}

const mostShown = 6;

/** The steps that are left on the way there, with the time that each usually takes. */
export function WhatComesNext({
  operations,
  usual,
  title,
}: {
  operations: RunView['operations'];
  /** Seconds by the number of the step. */
  usual: Readonly<Record<number, number>>;
  title: string;
}) {
  const left = operations.filter(({ state }) => state === 'ahead' || state === 'begun' || state === 'failed');
  if (left.length === 0) return null;
  const seconds = left.reduce((sum, { seq }) => sum + (usual[seq] ?? 0), 0);
  return (
    <Panel title={title} aside={<span className="text-sm">about {duration(seconds)}</span>}>
      <ol className="divide-y divide-line text-sm">
        {left.map(({ seq, title: step, state }) => (
          <li key={seq} className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 px-4 py-2">
            <span className="mt-0.5">
              <StateIcon state={state === 'begun' ? 'now' : state === 'failed' ? 'bad' : 'idle'} />
            </span>
            <span className={`[overflow-wrap:anywhere] ${state === 'begun' ? 'font-semibold' : ''}`}>{step}</span>
            <span className="whitespace-nowrap text-ink-3">{duration(usual[seq] ?? 0)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
