import type { Fields } from '#lib/base/records.ts';
import { counted } from '#lib/base/words.ts';
import { cleanupFlagPath, dataplanePath, names, type ObjectRef, releaseAtLeast } from '#lib/spec/index.ts';
import { proveNodes, writeInstallation } from '../access/rules.ts';
import { agentRollout, manyNodes } from '../agent-rollout.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { helmPin } from '../install/helm-pin.ts';
import { expectationsOf, fieldAt } from '../objects/field.ts';
import { endpointConfigMap, felix, installation } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { GuardedPaths, PlanContext } from '../operation.ts';
import {
  allOf,
  installationRef,
  lastDone,
  ownField,
  proxyFirstSteps,
  sequence,
  undoneBy,
  writtenBy,
} from '../pins/parts.ts';
import { either, exactly, type Fits, fits, maybe } from '../pins/pattern.ts';
import { proxyFirst, proxyFirstDurations, proxyFirstNeeds } from '../proxy/proxy-first.ts';
import { wasOn } from '../proxy/proxy-removal.ts';
import type { Condition } from '../schema/condition.ts';

const hostPortsPath = ['spec', 'calicoNetwork', 'hostPorts'];

/**
 * The spec's merge patch. `hostPorts: null` matters for old operators only, which refuse the field with eBPF; newer ones write
 * Enabled back. A deliberate Disabled is kept where eBPF supports it (operator ≥ 1.31; calico.md §13 no. 2).
 */
function patch(context: PlanContext): Fields {
  return {
    spec: { calicoNetwork: { linuxDataplane: 'BPF', ...(keepsHostPorts(context) ? {} : { hostPorts: null }) } },
  };
}

function keepsHostPorts(context: PlanContext): boolean {
  const found = fieldAt(objectOf(context.before, installation), hostPortsPath);
  const { operatorVersion } = context.facts.installation;
  return found === 'Disabled' && operatorVersion !== null && releaseAtLeast(operatorVersion, '1.31') === 'yes';
}

/** The title of the switch, for a patch and for Helm. */
export function switchTitle(context: PlanContext): string {
  return `Switch ${manyNodes(agentRollout(context).nodes)} to eBPF`;
}

/** What the switch means for connections, for a patch and for Helm. */
export function switchWhy({ facts }: PlanContext): string {
  const { serviceCount } = facts.resources;
  const services = serviceCount === null ? 'Services' : counted(serviceCount, 'Service');
  return `All nodes change at the same moment, once the operator has rolled them. Open connections through the ${services} of this cluster may be reset; new ones work.`;
}

/** What must still be so when the switch is made: the address, the protected rules, and that nobody switched meanwhile. */
export function switchReads(context: PlanContext): GuardedPaths[] {
  return [
    { target: installation, paths: [dataplanePath] },
    { target: felix(context), paths: [cleanupFlagPath] },
    {
      target: endpointConfigMap(context),
      paths: [
        ['data', names.endpointHostKey],
        ['data', names.endpointPortKey],
      ],
    },
  ];
}

export const bpf: Fields = { spec: { calicoNetwork: { linuxDataplane: 'BPF' } } };
export const isBpf: Condition = write(installation, bpf).done;

/** Where bpfEnabled was set by hand, eBPF was on before the plan and is on after its undo: then the fields are all there is to wait for. */
export function whenBack(context: PlanContext, fields: Condition): Condition {
  return wasOn(context) ? fields : { kind: 'bpf-inactive' };
}

/** The condition for the values that the undo restores, without fields that were absent: the operator writes its default into those at once. */
function settledFields({ target, body }: { target: ObjectRef; body: Fields }): Condition {
  return { kind: 'fields', target, fields: expectationsOf(body).filter((field) => 'equals' in field) };
}

export const switchBpf = defineOperation({
  id: 'switch.bpf',
  title: switchTitle,
  why: switchWhy,
  whenPaused:
    'The Installation may already ask for eBPF while the service proxy still runs and its rules are kept: both data planes run side by side.',
  effect: 'traffic',
  traffic: 'restarts',
  reversible: true,
  appliesTo: (context) => helmPin(context) === null,
  mayWrite: () => ({
    step: {
      act: {
        kind: 'merge-patch',
        target: installationRef,
        body: { spec: { calicoNetwork: { linuxDataplane: 'BPF', hostPorts: maybe(null) } } },
      },
      done: exactly(isBpf),
    },
    undo: undoneBy('data-plane', switchedBack),
  }),
  needs: (scope) => [writeInstallation, ...proveNodes(scope), ...proxyFirstNeeds(scope)],
  reads: switchReads,
  act: (context) => write(installation, patch(context)).act,
  done: isBpf,
  undo: (context) => {
    const { act, done } = writeBack(context, installation, patch(context));
    const back = whenBack(context, done);
    const { nodes, usualSeconds, deadlineSeconds } = agentRollout(context);
    const proxy = proxyFirstDurations(context);
    return {
      title: `Switch ${manyNodes(nodes)} back to the standard data plane`,
      act: { kind: 'sequence', steps: [...proxyFirst(context), { act, done: all(settledFields(act), back) }] },
      done: back,
      phase: 'data-plane',
      usualSeconds: usualSeconds + 30 + proxy.usualSeconds,
      deadlineSeconds: Math.max(deadlineSeconds + 360, proxy.deadlineSeconds),
    };
  },
});

/** Earlier values of `linuxDataplane` and `hostPorts` (calico.md §2). */
const earlierDataplane = either(null, 'Iptables', 'Nftables', 'BPF', 'VPP');
const earlierHostPorts = either(null, 'Enabled', 'Disabled');

/** The patch that restores the Installation. It waits for the fields or for the end of eBPF. */
const back: Fits = (step) => {
  const act = ownField(step, 'act');
  const isFields = fits(act, {
    kind: 'merge-patch',
    target: installationRef,
    body: { spec: { calicoNetwork: { linuxDataplane: earlierDataplane, hostPorts: maybe(earlierHostPorts) } } },
  });
  if (!isFields) return false;
  const settled = exactly(settledFields(act as { target: ObjectRef; body: Fields }));
  return either(
    allOf(settled, { kind: 'bpf-inactive' }),
    allOf(settled, exactly(writtenBy(act))),
  )(ownField(step, 'done'));
};

const switchedBack: Fits = (step) => {
  const of = ownField(lastDone(ownField(step, 'act')), 'of');
  return (
    fits(ownField(step, 'act'), sequence(...proxyFirstSteps, back)) &&
    fits(ownField(step, 'done'), exactly(Array.isArray(of) ? of[1] : undefined))
  );
};
