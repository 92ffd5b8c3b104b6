import { isDeepStrictEqual } from 'node:util';
import { names, resources } from '#lib/spec/index.ts';
import type { Condition } from '../act.ts';
import { agentRollout } from '../agent-rollout.ts';
import { all, defineOperation, writeBack } from '../define-operation.ts';
import { bootstrapsByItself, earlierEndpoint, isTold, plannedEndpoint, staysAfterUndo } from '../endpoint.ts';
import { isFresh, isMadeHere } from '../made-here.ts';
import { objectOf } from '../objects.ts';
import type { PlanContext } from '../operation.ts';
import { marked, markOf, restart } from '../operator-restart.ts';
import { endpointConfigMap, operatorDeployment } from '../places.ts';
import { isFinished } from '../proxy-removal.ts';
import { followWorkloads, rule } from '../rules.ts';

function earlierIsActive(context: PlanContext): Condition {
  return { kind: 'endpoint-active', endpoint: earlierEndpoint(context) };
}

/** One that this plan installs reads the address when it starts; one that an installation began with has read what was there. */
function hasReadIt(context: PlanContext): boolean {
  if (isMadeHere(context, operatorDeployment(context))) return true;
  return isDeepStrictEqual(earlierEndpoint(context), plannedEndpoint(context));
}

/**
 * The operator reads its own address of the API server once, when it starts (calico.md §3.2). After `endpoint.active`, because until
 * the address is known to be right the operator is what could repair it.
 */
export const endpointRestartOperator = defineOperation({
  id: 'endpoint.restart-operator',
  title: 'Restart the operator with this address',
  why: 'It reads the address only when it starts, and must still reach the API server once the service proxy is off.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) =>
    !bootstrapsByItself(context) &&
    isTold(context) &&
    objectOf(context.before, operatorDeployment(context)) !== null &&
    !(context.choices.goal === 'install' && hasReadIt(context)),
  // It works without a proxy as it is: whoever installed it gave it the address before it started.
  settled: isFinished,
  needs: ({ operatorNamespace: namespace }) => [
    rule(resources.deployments, ['get', 'patch'], { namespace, names: [names.operatorDeployment] }),
    ...followWorkloads(namespace),
  ],
  reads: (context) => [
    {
      target: endpointConfigMap(context),
      paths: [
        ['data', names.endpointHostKey],
        ['data', names.endpointPortKey],
      ],
    },
  ],
  act: (context) => restart(context, markOf(context)).act,
  done: (context) => restart(context, markOf(context)).done,
  /**
   * Through a mark of its own: an undo may come before this operation ran, and an annotation that is set to what it is restarts nothing,
   * while a deleted ConfigMap has no effect until the operator starts again.
   */
  undo: (context) => {
    if (staysAfterUndo(context)) return null;
    const target = operatorDeployment(context);
    const back = writeBack(context, target, marked(markOf(context)));
    const rollout = { kind: 'rollout', target } as const;
    return {
      title: earlierEndpoint(context)
        ? 'Restart the operator with its earlier address'
        : 'Restart the operator without this address',
      act: {
        kind: 'sequence',
        steps: [restart(context, `undo-of-${markOf(context)}`), { act: back.act, done: all(back.done, rollout) }],
      },
      // The annotation may be what it was before the first restart: what shows that the operator has read the earlier address is what it writes.
      done: all(back.done, rollout, ...(isFresh(context) ? [] : [earlierIsActive(context)])),
      phase: 'operator',
      usualSeconds: 40 + agentRollout(context).usualSeconds,
      deadlineSeconds: 300 + agentRollout(context).deadlineSeconds,
    };
  },
  usualSeconds: 20,
  deadlineSeconds: 180,
});
