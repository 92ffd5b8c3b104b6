import type { Fields } from '#lib/base/records.ts';
import { names } from '#lib/spec/index.ts';
import { all, write } from '../define-operation.ts';
import { endpointHash, plannedEndpoint } from '../endpoint.ts';
import type { PlanContext } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { operatorDeployment } from './object-refs.ts';

/** Restarts the operator by an annotation on its pod template: the address with which its process started. */

/** The value of the annotation for this plan's address. */
export function markOf(context: PlanContext): string {
  return endpointHash(plannedEndpoint(context) ?? { host: '', port: '' });
}

/** The merge patch that sets the annotation on the operator's pod template. */
export function marked(mark: string): Fields {
  return { spec: { template: { metadata: { annotations: { [names.endpointHashAnnotation]: mark } } } } };
}

/** Sets the annotation, and waits for the rollout that follows. */
export function restart(context: PlanContext, mark: string): { act: Act; done: Condition } {
  const target = operatorDeployment(context);
  const { act, done } = write(target, marked(mark));
  return { act, done: all(done, { kind: 'rollout', target }) };
}
