import { TryAgain } from '#components/dashboard/try-again.tsx';
import { WhyNothing } from '#components/dashboard/why-nothing.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import type { State } from '#components/ui/state-mark.tsx';
import { type ClusterEntry, type Failure, host } from '#lib/console/host.ts';
import { flagsOfEntry } from '#lib/console/wizard/index.ts';
import { FailureMessage, ForCommands } from './failure-message.tsx';
import { type FlowsAddress, FlowsScreen } from './flows-screen.tsx';

/** The first look, made on the server; what follows comes by the stream. */
export async function Flows({ entry, address }: { entry: ClusterEntry; address: FlowsAddress }) {
  const answer = await host().flows(entry.slug);
  if (!answer.ok) return <NoFlows entry={entry} failure={answer} />;
  return (
    <ForCommands flags={flagsOfEntry(entry)}>
      <FlowsScreen
        cluster={entry.slug}
        name={entry.name}
        initial={answer.value}
        address={address}
        renderedAt={Date.now()}
      />
    </ForCommands>
  );
}

const titles: Readonly<Record<string, readonly [State, string]>> = {
  'flows.not-enabled': ['idle', 'Flow logs are not enabled'],
  'flows.enterprise': ['idle', 'Flow logs of Calico Enterprise are elsewhere'],
  'flows.too-old': ['idle', 'This Calico has no flow logs'],
  'flows.no-operator': ['idle', 'This cluster has no flow logs'],
  'flows.forbidden': ['warn', 'A right is missing'],
  'flows.not-ready': ['warn', 'The aggregator does not run'],
  'flows.certificates': ['warn', 'Certificates do not match'],
};

function NoFlows({ entry, failure: { code, message } }: { entry: ClusterEntry; failure: Failure }) {
  const [state, title] = titles[code] ?? (['bad', 'Flows cannot be read'] as const);
  return (
    <>
      <PageHead title="Flows" />
      <WhyNothing state={state} title={title} code={code}>
        <ForCommands flags={flagsOfEntry(entry)}>
          <FailureMessage message={message} title={title} />
        </ForCommands>
        <div>
          <TryAgain kind={code === 'flows.forbidden' ? 'plain' : 'primary'} />
        </div>
      </WhyNothing>
    </>
  );
}
