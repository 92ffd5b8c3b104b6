import { Panel } from '#components/ui/panel.tsx';
import { duration, thousands } from '#lib/base/words.ts';
import type { RunView } from '#lib/console/wire.ts';

/** The objects that hold the run up now, each with its own message. Between two waits the panel keeps its height, so that the page below stays in place. */
export function WaitsFor({ now, nowMs }: { now: RunView['now']; nowMs: number }) {
  return (
    <div className="grid min-h-44">
      {now === null || now.awaiting === null ? (
        <Panel title="Waits for">
          <p className="px-4 pt-3 text-sm text-ink-2">Nothing: a step is in progress.</p>
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
      {/* Continues the sentence of the title, so it may begin with a name: `calico-node to restart on every node`. */}
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
