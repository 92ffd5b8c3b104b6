import { type Plan, touchesTraffic } from '#lib/plan/index.ts';
import { mostAskingNodes, names, watchTakes } from '#lib/spec/index.ts';
import { PlanSwitch } from './plan-switch.tsx';
import { SwitchPanel } from './switch-panel.tsx';

/** The setting for pods that query Services during steps that touch traffic; nothing if no step does. */
export function WatchedServices({ cluster, draft, plan }: { cluster: string; draft: string; plan: Plan }) {
  if (!plan.operations.some(touchesTraffic)) return null;
  const isOn = plan.choices.watchServices === true;
  return (
    <SwitchPanel
      title={isOn ? 'Services are watched during the run.' : 'Services are not watched during the run.'}
      button={
        <PlanSwitch {...{ cluster, draft, isOn }} part="watchServices">
          {isOn ? 'Do not watch Services' : 'Watch Services'}
        </PlanSwitch>
      }
    >
      {isOn ? (
        <>
          Pods in namespace <code>{names.watchNamespace}</code> ask a ClusterIP, DNS and a NodePort on every node, or on
          a sample of {mostAskingNodes} if there are more. They take up to {watchTakes.percent} % of a core and{' '}
          {watchTakes.kilobytes} kB/s of network traffic on each node, and are removed at the end.
        </>
      ) : (
        'The report then says that they are not verified.'
      )}
    </SwitchPanel>
  );
}
