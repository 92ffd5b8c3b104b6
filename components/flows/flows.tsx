import { TryAgain } from '#components/dashboard/try-again.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { type State, StateMark } from '#components/ui/state-mark.tsx';
import { type ClusterEntry, type Failure, host } from '#lib/console/host.ts';
import { type FlowsAddress, FlowsScreen } from './flows-screen.tsx';

/** The first look, made on the server; what follows comes by the stream. */
export async function Flows({ entry, address }: { entry: ClusterEntry; address: FlowsAddress }) {
  const answer = await host().flows(entry.slug);
  if (!answer.ok) return <NoFlows failure={answer} />;
  return (
    <FlowsScreen
      cluster={entry.slug}
      name={entry.name}
      initial={answer.value}
      address={address}
      renderedAt={Date.now()}
    />
  );
}

const titles: Readonly<Record<string, readonly [State, string]>> = {
  'flows.not-enabled': ['idle', 'Flow logs are not enabled'],
  'flows.enterprise': ['idle', 'Flow logs of Calico Enterprise are elsewhere'],
  'flows.too-old': ['idle', 'This Calico has no flow logs'],
  'flows.no-operator': ['idle', 'This cluster has no flow logs'],
  'flows.forbidden': ['warn', 'A right is missing'],
  'flows.not-ready': ['warn', 'The aggregator does not run'],
  'flows.certificates': ['warn', 'Certificates do not fit'],
};

/** The message may hold a command on lines of its own. */
function NoFlows({ failure: { code, message } }: { failure: Failure }) {
  const [state, title] = titles[code] ?? (['bad', 'Flows cannot be read'] as const);
  return (
    <>
      <PageHead title="Flows" />
      <Panel>
        <div className="max-w-[80ch] px-5 py-5">
          <h2 className="text-lg font-semibold">
            <StateMark state={state}>
              <span className="text-ink">{title}</span>
            </StateMark>
          </h2>
          <p className="mt-2 break-words whitespace-pre-line">{message}</p>
          <div className="mt-5 flex flex-wrap items-center gap-2">
            <TryAgain />
            <span className="ml-auto text-sm text-ink-3">
              code <code>{code}</code>
            </span>
          </div>
        </div>
      </Panel>
    </>
  );
}
