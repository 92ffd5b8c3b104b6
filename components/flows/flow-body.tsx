import { Button } from '#components/ui/button.tsx';
import {
  bytesText,
  endName,
  type Flow,
  type FlowEnd,
  pairQuery,
  stagedSentence,
  trailLines,
  trailSentence,
} from '#lib/flows/in-browser.ts';
import { FlowTime } from './flow-time.tsx';

/** An opened flow: why it was decided so, the policies that were asked, in order, and both ends. */
export function FlowBody({ flow, onQuery }: { flow: Flow; onQuery: (text: string) => void }) {
  const staged = stagedSentence(flow);
  const lines = trailLines(flow);
  return (
    // In a table that scrolls sideways it stays in sight.
    <div className="sticky left-4 flex max-w-[calc(100vw-5rem)] flex-col gap-3">
      <p>
        <b className="font-semibold">{trailSentence(flow)}</b> {staged}
      </p>
      {lines.length > 0 && (
        <ol className="list-decimal pl-5 text-ink-2" aria-label="Policies, in the order in which they were asked">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its place is what a policy is here.
            <li key={index} className="break-words">
              {line}
            </li>
          ))}
        </ol>
      )}
      <div className="grid gap-3 min-[900px]:grid-cols-2">
        <EndPanel title="From" end={flow.from} more={[]} />
        <EndPanel
          title="To"
          end={flow.to}
          more={[
            ...(flow.service ? [['Service', `${flow.service.namespace ?? ''}/${flow.service.name}`] as const] : []),
            ['Port', `${flow.port} ${flow.protocol}`],
          ]}
        />
      </div>
      <p className="text-ink-2">
        {flow.connections.started} connections began, {flow.connections.live} were open at the end;{' '}
        {bytesText(flow.bytes.in)} in, {bytesText(flow.bytes.out)} out; {flow.packets.in} packets in, {flow.packets.out}{' '}
        out; told by the {flow.reporter}'s node, <FlowTime at={flow.start} /> to <FlowTime at={flow.end} />.
      </p>
      <div>
        <Button onClick={() => onQuery(pairQuery(flow))}>Only this pair</Button>
      </div>
    </div>
  );
}

function EndPanel({ title, end, more }: { title: string; end: FlowEnd; more: readonly (readonly [string, string])[] }) {
  const rows: readonly (readonly [string, string])[] = [
    [end.kind === 'workload' ? 'Workload' : 'Name', endName(end)],
    ...(end.kind === 'workload' ? [['Pods', end.name] as const] : []),
    ...(end.labels.length > 0 ? [['Labels', end.labels.join(', ')] as const] : []),
    ...more,
  ];
  return (
    <section aria-label={title} className="min-w-0 rounded-md border border-line bg-sheet px-3 py-2">
      <h3 className="text-sm font-semibold text-ink-3">{title}</h3>
      <dl className="mt-1 grid grid-cols-[6rem_1fr] gap-y-0.5">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="min-w-0 break-words font-mono text-xs">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
