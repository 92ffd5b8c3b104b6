import { isDeepStrictEqual } from 'node:util';
import { names, resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { agentRollout } from '../agent-rollout.ts';
import { all, defineOperation, writeBack } from '../define-operation.ts';
import {
  bootstrapsByItself,
  earlierEndpoint,
  endpointHash,
  needsEndpoint,
  plannedEndpoint,
  staysAfterUndo,
} from '../endpoint.ts';
import { isFresh, isMadeHere } from '../objects/made-here.ts';
import { endpointConfigMap, operatorDeployment } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { marked, markOf, restart } from '../objects/operator-restart.ts';
import type { PlanContext } from '../operation.ts';
import { itsRollout, lastDone, operatorRef, ownField, patched, sequence, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, fits, type Pattern, shortText, text } from '../pins/pattern.ts';
import { isFinished } from '../proxy/proxy-removal.ts';
import type { Condition } from '../schema/condition.ts';

function earlierIsActive(context: PlanContext): Condition {
  return { kind: 'endpoint-active', endpoint: earlierEndpoint(context) };
}

/** True for an operator that this plan installs: it reads the address when it starts. One that was there before has read the earlier one. */
function hasReadIt(context: PlanContext): boolean {
  if (isMadeHere(context, operatorDeployment(context))) return true;
  return isDeepStrictEqual(earlierEndpoint(context), plannedEndpoint(context));
}

/**
 * The operator reads the API server's address once, when it starts (calico.md §3.2). It restarts after `endpoint.active`, because until the address
 * is proven only the operator could repair it.
 */
export const endpointRestartOperator = defineOperation({
  id: 'endpoint.restart-operator',
  title: 'Restart the operator with this address',
  why: 'It reads the address only when it starts, and must still reach the API server once the service proxy is off.',
  whenPaused: 'The operator may be restarting; the data plane does not depend on it. Traffic is as before.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) =>
    !bootstrapsByItself(context) &&
    needsEndpoint(context) &&
    objectOf(context.before, operatorDeployment(context)) !== null &&
    !(context.choices.goal === 'install' && hasReadIt(context)),
  // The operator works without a proxy already: it was installed with the address.
  settled: isFinished,
  mayWrite: (_operation, { endpoint }) => {
    const mark = endpoint === undefined ? text(/^[0-9a-f]{16}$/) : endpointHash(endpoint);
    const undoMark = endpoint === undefined ? text(/^undo-of-[0-9a-f]{16}$/) : `undo-of-${endpointHash(endpoint)}`;
    return {
      step: patched(operatorRef, markedWith(mark), itsRollout),
      undo: either(null, undoneBy('operator', restartedBack(undoMark))),
    };
  },
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
   * Uses its own mark: an undo may come before this operation ran, and setting an annotation to its present value restarts nothing, while a deleted
   * ConfigMap takes effect only when the operator starts again.
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
      // The annotation may have had this value before the first restart. Only what the operator writes shows that it has read the earlier address.
      done: all(back.done, rollout, ...(isFresh(context) ? [] : [earlierIsActive(context)])),
      phase: 'operator',
      usualSeconds: 40 + agentRollout(context).usualSeconds,
      deadlineSeconds: 300 + agentRollout(context).deadlineSeconds,
    };
  },
  usualSeconds: 20,
  deadlineSeconds: 180,
});

const earlierMark = either(null, shortText);
const earlierCarried: Pattern = {
  kind: 'endpoint-active',
  endpoint: either(null, { host: shortText, port: shortText }),
};

function restartedBack(undoMark: Pattern): Fits {
  return (step) => {
    const back = ownField(lastDone(ownField(step, 'act')), 'of');
    const [fields, rolled] = Array.isArray(back) ? back : [];
    return (
      fits(
        ownField(step, 'act'),
        sequence(
          patched(operatorRef, markedWith(undoMark), itsRollout),
          patched(operatorRef, markedWith(earlierMark), itsRollout),
        ),
      ) &&
      either(
        { kind: 'all', of: [exactly(fields), exactly(rolled)] },
        { kind: 'all', of: [exactly(fields), exactly(rolled), earlierCarried] },
      )(ownField(step, 'done'))
    );
  };
}

function markedWith(mark: Pattern): Pattern {
  return { spec: { template: { metadata: { annotations: { [names.endpointHashAnnotation]: mark } } } } };
}
