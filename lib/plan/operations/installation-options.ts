import { type Fields, mergePatch } from '#lib/base/records.ts';
import { type Choices, knownFlexVolumePaths, proxyManagementPath, proxyManagementSetting } from '#lib/spec/index.ts';
import { followWorkloads, writeInstallation } from '../access/rules.ts';
import { agentRollout } from '../agent-rollout.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { fixedFlexVolumePath } from '../fixes.ts';
import { fieldAt, patchAt } from '../objects/field.ts';
import { agents, installation } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { agentsRef, backFrom, installationRef, patched, rollout, undoneBy } from '../pins/parts.ts';
import { either, exactly } from '../pins/pattern.ts';
import { proxyRemoval } from '../proxy/proxy-removal.ts';

/**
 * Sets fields of the Installation before the switch. If the operator manages the proxy, management is turned off until every node is proven:
 * otherwise the operator turns the proxy off in the moment in which it sets bpfEnabled (controlplane.md › Recordings 12).
 */
function fields(context: PlanContext): [path: string[], value: unknown][] {
  const chosen = chosenFields(context.choices);
  const fixed = fixedFlexVolumePath(context);
  if (fixed !== undefined) chosen.push(flexVolume(fixed));
  return holdsProxy(context) ? [...chosen, proxyHeld] : chosen;
}

function holdsProxy(context: PlanContext): boolean {
  const found = fieldAt(objectOf(context.facts.resources.objects, installation), proxyManagementPath) === 'Enabled';
  const { wanted, actual } = context.facts.installation.dataplane;
  const isOn = wanted === 'BPF' && actual === 'BPF';
  return found && (proxyRemoval(context) === 'stays' || !isOn);
}

function patch(context: PlanContext): Fields {
  return together(fields(context));
}

function together(all: readonly [path: string[], value: unknown][]): Fields {
  return all.reduce<Fields>((body, [path, value]) => mergePatch(body, patchAt(path, value)) as Fields, {});
}

/** Every patch that these choices may lead to: with or without what follows from the nodes, and from who manages the proxy. */
function patchesOf(choices: Choices): Fields[] {
  const paths = choices.fix.includes('node.flexvolume-path') ? [undefined, ...knownFlexVolumePaths] : [undefined];
  return paths.flatMap((path) =>
    [false, true].map((isHeld) =>
      together([
        ...chosenFields(choices),
        ...(path === undefined ? [] : [flexVolume(path)]),
        ...(isHeld ? [proxyHeld] : []),
      ]),
    ),
  );
}

const flexVolume = (path: string): [string[], unknown] => [['spec', 'flexVolumePath'], path];
const proxyHeld: [string[], unknown] = [[...proxyManagementPath], 'Disabled'];

function chosenFields({ set }: Choices): [path: string[], value: unknown][] {
  return Object.entries(set)
    .filter(([path]) => path !== proxyManagementSetting)
    .map(([path, value]): [string[], unknown] => [['spec', ...path.split('.')], value]);
}

function isTaken(context: PlanContext, body: Fields) {
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
      : 'Chosen fields, set before the switch.',
  whenPaused: 'Traffic is as before.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => fields(context).length > 0,
  mayWrite: ({ act }, choices) => {
    const besides = [{ kind: 'reconciled' }, rollout(agentsRef)] as const;
    const { body } = act.kind === 'merge-patch' ? act : { body: {} };
    return {
      step: patched(installationRef, either(...patchesOf(choices).map(exactly)), ...besides),
      undo: undoneBy('options', patched(installationRef, backFrom(body), ...besides)),
    };
  },
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
