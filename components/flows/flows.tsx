import { TryAgain } from '#components/dashboard/try-again.tsx';
import { WhyNothing } from '#components/dashboard/why-nothing.tsx';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import type { State } from '#components/ui/state-mark.tsx';
import { type ClusterEntry, type Failure, host } from '#lib/console/host.ts';
import { flagsOfCluster } from '#lib/console/wizard/index.ts';
import { type FlowsAddress, FlowsScreen } from './flows-screen.tsx';

/** The first look, made on the server; what follows comes by the stream. */
export async function Flows({ entry, address }: { entry: ClusterEntry; address: FlowsAddress }) {
  const answer = await host().flows(entry.slug);
  if (!answer.ok) return <NoFlows entry={entry} failure={answer} />;
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

/** The message may end in a command on a line of its own. It is shown with the flag of this cluster: without it, it is carried out on the kubeconfig's current one. */
function NoFlows({ entry, failure: { code, message } }: { entry: ClusterEntry; failure: Failure }) {
  const [state, title] = titles[code] ?? (['bad', 'Flows cannot be read'] as const);
  const [said = '', command] = message.split('\n\n');
  return (
    <>
      <PageHead title="Flows" />
      <WhyNothing state={state} title={title} code={code}>
        <p className="break-words">{said}</p>
        {command !== undefined && (
          <CommandBlock
            command={`${command.trim()}${flagsOfCluster(entry)}`}
            of="the command that enables flow logs"
            on="sheet"
          />
        )}
        <div>
          <TryAgain />
        </div>
      </WhyNothing>
    </>
  );
}
