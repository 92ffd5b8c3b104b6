import { names, resources } from '#lib/spec/index.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { bootstrapsByItself, endpointHash, plannedEndpoint } from '../endpoint.ts';
import type { Json } from '../merge-patch.ts';
import { objectOf } from '../objects.ts';
import type { PlanContext } from '../operation.ts';
import { endpointConfigMap, operatorDeployment } from '../places.ts';
import { isFinished } from '../proxy-removal.ts';
import { followWorkloads, rule } from '../rules.ts';

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
    !bootstrapsByItself(context) && objectOf(context.before, operatorDeployment(context)) !== null,
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
  act: (context) => write(operatorDeployment(context), marked(hashOf(context))).act,
  done: (context) => restarted(context, marked(hashOf(context))),
  /**
   * Through a mark of its own: an undo may come before this operation ran, and an annotation that is set to what it is restarts nothing,
   * while a deleted ConfigMap has no effect until the operator starts again.
   */
  undo: (context) => {
    const target = operatorDeployment(context);
    const undoing = marked(`undo-of-${hashOf(context)}`);
    const back = writeBack(context, target, marked(hashOf(context)));
    const rollout = { kind: 'rollout', target } as const;
    return {
      title: 'Restart the operator without this address',
      act: {
        kind: 'sequence',
        steps: [
          { act: write(target, undoing).act, done: restarted(context, undoing) },
          { act: back.act, done: all(back.done, rollout) },
        ],
      },
      done: all(back.done, rollout),
      phase: 'operator',
      usualSeconds: 40,
      deadlineSeconds: 300,
    };
  },
  usualSeconds: 20,
  deadlineSeconds: 180,
});

function hashOf(context: PlanContext): string {
  return endpointHash(plannedEndpoint(context) ?? { host: '', port: '' });
}

function marked(mark: string): Json {
  return { spec: { template: { metadata: { annotations: { [names.endpointHashAnnotation]: mark } } } } };
}

function restarted(context: PlanContext, patch: Json) {
  const target = operatorDeployment(context);
  return all(write(target, patch).done, { kind: 'rollout', target });
}
