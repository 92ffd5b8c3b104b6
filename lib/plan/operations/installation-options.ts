import { agentRollout } from '../agent-rollout.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { fieldAt, patchAt } from '../field.ts';
import { mendedFlexVolumePath } from '../mends.ts';
import { type Json, mergePatch } from '../merge-patch.ts';
import { objectOf } from '../objects.ts';
import type { PlanContext } from '../operation.ts';
import { agents, installation } from '../places.ts';
import { managementChoice, managementPath, proxyRemoval } from '../proxy-removal.ts';
import { followWorkloads, writeInstallation } from '../rules.ts';

/**
 * Installation fields to set before the switch. A cluster on which the operator manages the proxy is taken out of that until every
 * node is proven: otherwise the operator turns the proxy off in the moment in which it sets bpfEnabled (controlplane.md › Recordings 12).
 */
function fields(context: PlanContext): [path: string[], value: unknown][] {
  const chosen = Object.entries(context.choices.set)
    .filter(([path]) => path !== managementChoice)
    .map(([path, value]): [string[], unknown] => [['spec', ...path.split('.')], value]);
  const mended = mendedFlexVolumePath(context);
  if (mended !== undefined) chosen.push([['spec', 'flexVolumePath'], mended]);
  return holdsProxy(context) ? [...chosen, [[...managementPath], 'Disabled']] : chosen;
}

function holdsProxy(context: PlanContext): boolean {
  const found = fieldAt(objectOf(context.facts.resources.objects, installation), managementPath) === 'Enabled';
  const { wanted, actual } = context.facts.installation.dataplane;
  const isOn = wanted === 'BPF' && actual === 'BPF';
  return found && (proxyRemoval(context) === 'stays' || !isOn);
}

function patch(context: PlanContext): Json {
  return fields(context).reduce<Json>((body, [path, value]) => mergePatch(body, patchAt(path, value)) as Json, {});
}

function isTaken(context: PlanContext, body: Json) {
  return all(write(installation, body).done, { kind: 'reconciled' }, { kind: 'rollout', target: agents(context) });
}

export const installationOptions = defineOperation({
  id: 'installation.options',
  title: (context) =>
    `Set ${fields(context)
      .map(([path]) => path.slice(1).join('.'))
      .join(', ')} of the Installation`,
  why: (context) =>
    holdsProxy(context)
      ? 'The operator would turn the service proxy off together with the switch, before any node is proven; it does so later, when this plan asks for it.'
      : 'These were chosen; they are in place before the switch.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => fields(context).length > 0,
  needs: ({ calicoNamespace }) => [writeInstallation, ...followWorkloads(calicoNamespace)],
  reads: (context) => [{ target: installation, paths: fields(context).map(([path]) => path) }],
  act: (context) => write(installation, patch(context)).act,
  done: (context) => isTaken(context, patch(context)),
  undo: (context) => {
    const { act, done } = writeBack(context, installation, patch(context));
    return {
      title: 'Set these fields of the Installation back to what they were',
      act,
      done: all(done, { kind: 'reconciled' }, { kind: 'rollout', target: agents(context) }),
      phase: 'options',
      usualSeconds: agentRollout(context).usualSeconds,
      deadlineSeconds: agentRollout(context).deadlineSeconds,
    };
  },
  usualSeconds: (context) => agentRollout(context).usualSeconds,
  deadlineSeconds: (context) => agentRollout(context).deadlineSeconds,
});
