import { inList } from '#lib/base/words.ts';
import { legsOfUpgrade, type Plan } from '#lib/plan/index.ts';
import { PlanSwitch } from './plan-switch.tsx';
import { SwitchPanel } from './switch-panel.tsx';

/** The setting to pause at each intermediate release; nothing for a direct upgrade. */
export function PauseBetween({ cluster, draft, plan }: { cluster: string; draft: string; plan: Plan }) {
  const between = legsOfUpgrade(plan)?.to.slice(0, -1) ?? [];
  if (between.length === 0) return null;
  const isOn = plan.choices.pauseBetween === true;
  const at = inList(between.map(({ version }) => version));
  return (
    <SwitchPanel
      title={isOn ? `The run pauses at ${at}.` : `The run does not pause at ${at}.`}
      button={
        <PlanSwitch {...{ cluster, draft, isOn }} part="pauseBetween">
          {isOn ? `Do not pause at ${at}` : `Pause at ${at}`}
        </PlanSwitch>
      }
    >
      {isOn
        ? 'Once every node runs it, you resume, stop or undo the run.'
        : 'A pause there lets you look at the cluster first, or stop the run at that release.'}
    </SwitchPanel>
  );
}
