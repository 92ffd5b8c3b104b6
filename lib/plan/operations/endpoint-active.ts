import { names, resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { agentRollout, everyNode } from '../agent-rollout.ts';
import { defineOperation } from '../define-operation.ts';
import {
  bootstrapsByItself,
  type Endpoint,
  earlierEndpoint,
  endpointHash,
  needsEndpoint,
  plannedEndpoint,
  staysAfterUndo,
} from '../endpoint.ts';
import { isFresh, isMadeHere } from '../objects/made-here.ts';
import { operatorDeployment } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { marked, markOf, restart } from '../objects/operator-restart.ts';
import type { OperationDefinition, PlanContext } from '../operation.ts';
import { awaited, operatorRef, undoneBy } from '../pins/parts.ts';
import { either, exactly, shortText } from '../pins/pattern.ts';
import type { Condition } from '../schema/condition.ts';

const someEndpoint = { host: shortText, port: shortText };

/** The mark of the address that the condition waits for. */
function markFor(done: Condition): string {
  return endpointHash((done.kind === 'endpoint-active' ? done.endpoint : null) ?? { host: '', port: '' });
}

/** Waits until every workload of Calico runs with the real address, while the service proxy still runs: a wrong address stops at the first node. */
export const endpointActive = defineOperation({
  id: 'endpoint.active',
  title: (context) => `Wait until Calico uses this address on ${everyNode(agentRollout(context).nodes)}`,
  why: (context) =>
    isFresh(context)
      ? 'The address is tried while the service proxy still runs. With a wrong one no agent becomes ready, and it can still be changed.'
      : 'The address is tried while the old way still works. Nodes restart their agent one after the other, so a wrong address stops at the first one. An operator that does not react within 60 s is restarted first.',
  whenPaused:
    'Agents that have rolled out use the new API server address, the others the old one. A node whose agent does not become ready starts no new pods; pods that run keep their network.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => !bootstrapsByItself(context) && needsEndpoint(context),
  mayWrite: ({ done }, { endpoint }) => ({
    step: awaited(
      either(
        { kind: 'check-passes', check: 'endpoint.in-use' },
        { kind: 'endpoint-active', endpoint: endpoint === undefined ? someEndpoint : exactly(endpoint) },
      ),
    ),
    nudge: either(null, {
      afterSeconds: 60,
      because: shortText,
      act: { kind: 'merge-patch', target: operatorRef, body: exactly(marked(markFor(done))) },
    }),
    undo: either(
      null,
      undoneBy('workloads', awaited({ kind: 'endpoint-active', endpoint: either(null, someEndpoint) })),
    ),
  }),
  needs: ({ calicoNamespace, operatorNamespace }) => [
    ...followWorkloads(calicoNamespace),
    ...followWorkloads(operatorNamespace),
    rule(resources.deployments, ['patch'], { namespace: operatorNamespace, names: [names.operatorDeployment] }),
    // If there was no ConfigMap before, the undo waits for the ClusterIP.
    rule(resources.services, ['get'], { namespace: 'default', names: ['kubernetes'] }),
  ],
  act: { kind: 'wait' },
  done: (context) => carried(plannedEndpoint(context)),
  nudge: (context) =>
    plannedEndpoint(context) === null ||
    objectOf(context.before, operatorDeployment(context)) === null ||
    // The operator started with the address: it creates everything from scratch, and pulls its images first.
    (context.choices.goal === 'install' && isMadeHere(context, operatorDeployment(context)))
      ? null
      : {
          afterSeconds: 60,
          because: 'The operator has not reacted to the address for 60 s, so it is restarted.',
          act: restart(context, markOf(context)).act,
        },
  undo: (context) => {
    const endpoint = plannedEndpoint(context);
    const earlier = earlierEndpoint(context);
    if (endpoint === null || isSame(endpoint, earlier) || staysAfterUndo(context) || isFresh(context)) return null;
    return {
      title: earlier
        ? `Wait until Calico uses ${earlier.host} port ${earlier.port} again`
        : 'Wait until Calico uses the ClusterIP again',
      act: { kind: 'wait' },
      done: { kind: 'endpoint-active', endpoint: earlier },
      phase: 'workloads',
      ...durations(context),
    };
  },
  usualSeconds: (context) => durations(context).usualSeconds,
  deadlineSeconds: (context) => durations(context).deadlineSeconds,
});

/** Checks the address again after the switch has restarted every agent, right before the proxy goes. It has nothing to undo. */
export const endpointStillActive: OperationDefinition = {
  ...endpointActive,
  title: 'Check once more that every node uses this address',
  why: 'From the next step on there is no other way to the API server.',
  effect: 'none',
  nudge: null,
  undo: null,
  mayWrite: (operation, choices) => ({ step: endpointActive.mayWrite(operation, choices).step }),
};

/** 60 s for an operator that has to restart first, then a rolling update. */
function durations(context: PlanContext) {
  const { usualSeconds, deadlineSeconds } = agentRollout(context);
  return { usualSeconds: usualSeconds + 10, deadlineSeconds: deadlineSeconds + 120 };
}

function carried(endpoint: Endpoint | null): Condition {
  return endpoint ? { kind: 'endpoint-active', endpoint } : { kind: 'check-passes', check: 'endpoint.in-use' };
}

function isSame(one: Endpoint, other: Endpoint | null): boolean {
  return one.host === other?.host && one.port === other.port;
}
