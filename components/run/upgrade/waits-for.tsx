import { Panel } from '#components/ui/panel.tsx';
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
    </Panel>
  );
}

const mostShown = 6;
