import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { agreeing, counted } from '#lib/base/words.ts';
import {
  bytesText,
  endName,
  endQuery,
  type Flow,
  type FlowEnd,
  pairQuery,
  podsCommand,
  policyCommand,
  policyQuery,
  stagedSentence,
  type TrailStep,
  trailSentence,
  trailSteps,
} from '#lib/flows/in-browser.ts';
import { FlowTime } from '../flow-time.tsx';
import { pairOfFlow, type WhyPair } from '../why/why-pair.ts';
import { QueryLink } from './query-link.tsx';

type OnQuery = (text: string) => void;

/** An opened flow: the reason for its verdict, the evaluated policies in order, and both ends with links to their flows and objects. */
export function FlowBody({
  flow,
  onQuery,
  onWhy,
  onSuggest,
}: {
  flow: Flow;
  onQuery: OnQuery;
  onWhy: (pair: WhyPair) => void;
  onSuggest: (workload: string) => void;
}) {
  const pair = pairOfFlow(flow);
  const staged = stagedSentence(flow);
  const steps = trailSteps(flow);
  return (
    // In a table that scrolls sideways it stays in sight.
    <div className="sticky left-4 flex max-w-[calc(100vw-5rem)] flex-col gap-3 whitespace-normal">
      <p>
        <b className="font-semibold">{trailSentence(flow)}</b> {staged}
      </p>
      {steps.length > 0 && (
        <ol className="list-decimal pl-5 text-ink-2" aria-label="Policies, in order of evaluation">
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its place is what a policy is here.
            <li key={index} className="break-words">
              <AskedPolicy step={step} onQuery={onQuery} />
            </li>
          ))}
        </ol>
      )}
      <div className="grid gap-3 min-[900px]:grid-cols-2">
        <EndPanel title="From" end={flow.from} more={[]} onQuery={onQuery} onSuggest={onSuggest} />
        <EndPanel
          title="To"
          end={flow.to}
          more={[
            ...(flow.service ? [['Service', `${flow.service.namespace ?? ''}/${flow.service.name}`] as const] : []),
            ['Port', `${flow.port} ${flow.protocol}`],
          ]}
          onQuery={onQuery}
          onSuggest={onSuggest}
        />
      </div>
      <p className="text-ink-2">
        {counted(flow.connections.started, 'connection')} began, {flow.connections.completed} ended,{' '}
        {flow.connections.live} {agreeing(flow.connections.live, 'was', 'were')} open at the end;{' '}
        {bytesText(flow.bytes.in)} in, {bytesText(flow.bytes.out)} out; {counted(flow.packets.in, 'packet')} in,{' '}
        {flow.packets.out} out; reported by the {flow.reporter}'s node, <FlowTime at={flow.start} /> to{' '}
        <FlowTime at={flow.end} />.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onQuery(pairQuery(flow))}>Only this pair</Button>
        {pair && <Button onClick={() => onWhy(pair)}>Why, at both ends</Button>}
      </div>
    </div>
  );
}

function AskedPolicy({ step: { text, policy }, onQuery }: { step: TrailStep; onQuery: OnQuery }) {
  if (policy === null) return text;
  const command = policyCommand(policy);
  return (
    <>
      {text}{' '}
      <span className="ml-1 inline-block text-sm">
        <QueryLink query={policyQuery(policy)} onQuery={onQuery} of={`policy ${policy.name}`}>
          Its flows
        </QueryLink>
      </span>
      {command !== null && <ReadBy command={command} summary="Read the policy" of={policy.name} />}
    </>
  );
}

function EndPanel({
  title,
  end,
  more,
  onQuery,
  onSuggest,
}: {
  title: string;
  end: FlowEnd;
  more: readonly (readonly [string, string])[];
  onQuery: OnQuery;
  onSuggest: (workload: string) => void;
}) {
  const rows: readonly (readonly [string, string])[] = [
    [end.kind === 'workload' ? 'Workload' : 'Name', endName(end)],
    ...(end.kind === 'workload' ? [['Pods', end.name] as const] : []),
    ...(end.labels.length > 0 ? [['Labels', end.labels.join(', ')] as const] : []),
    ...more,
  ];
  const command = podsCommand(end);
  return (
    <section aria-label={title} className="min-w-0 rounded-md border border-line bg-sheet px-3 py-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-sm font-semibold text-ink-3">{title}</h3>
        <span className="text-sm">
          <QueryLink query={endQuery(end)} onQuery={onQuery} of={endName(end)}>
            All its flows
          </QueryLink>
        </span>
      </div>
      <dl className="mt-1 grid grid-cols-[6rem_1fr] gap-y-0.5">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="min-w-0 break-words font-mono text-xs">{value}</dd>
          </div>
        ))}
      </dl>
      {command !== null && <ReadBy command={command} summary="List the pods" of={endName(end)} />}
      {end.kind === 'workload' && end.namespace !== null && (
        <div className="-mx-3">
          <Button kind="quiet" onClick={() => onSuggest(endName(end))}>
            Suggest a policy
            <span className="sr-only">: {endName(end)}</span>
          </Button>
        </div>
      )}
    </section>
  );
}

/** A command that shows an object, which the console itself does not. */
function ReadBy({ command, summary, of }: { command: string; summary: string; of: string }) {
  return (
    <div className="text-sm">
      <Disclosure
        summary={
          <>
            {summary}
            <span className="sr-only">: {of}</span>
          </>
        }
      >
        <p className="flex flex-wrap items-center gap-x-1">
          <code className="min-w-0 break-words">{command}</code>
          <CopyButton text={command} of={`the command for ${of}`} />
        </p>
      </Disclosure>
    </div>
  );
}
