import { Panel } from '#components/ui/panel.tsx';
import { type Plan, touchesTraffic } from '#lib/plan/index.ts';
import { names } from '#lib/spec/index.ts';
import { WatchSwitch } from './watch-switch.tsx';

/** The one part of a plan that is chosen here: pods that ask Services while it touches traffic. Nothing where no step does. */
export function WatchedServices({ cluster, draft, plan }: { cluster: string; draft: string; plan: Plan }) {
  if (!plan.operations.some(touchesTraffic)) return null;
  const isOn = plan.choices.watchServices === true;
  return (
    <Panel className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-2.5">
      <p className="min-w-0 flex-1 basis-72 text-sm text-ink-2">
        <b className="font-semibold text-ink">
          {isOn ? 'Services are asked from every node during the run.' : 'Services are not watched during the run.'}
        </b>{' '}
        {isOn ? (
          <>
            Pods in namespace <code>{names.watchNamespace}</code> ask a ClusterIP, DNS and a NodePort. They are removed
            at the end.
          </>
        ) : (
          'The report says then that nobody verified them.'
        )}
      </p>
      <WatchSwitch cluster={cluster} draft={draft} isOn={isOn} />
    </Panel>
  );
}
