import { cleanupFlagPath, dataplanePath, names, type ObjectRef, platformOf, resources } from '#lib/spec/index.ts';
import { proveProxy, rule } from '../access/rules.ts';
import { agentRollout } from '../agent-rollout.ts';
import { bootstrapsByItself } from '../endpoint.ts';
import { endpointConfigMap, felix, installation } from '../objects/object-refs.ts';
import type { GuardedPaths, PlanContext } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import type { Rule } from '../schema/planned-operation.ts';

/** Shared by all operations that turn the service proxy off. */

export const proxyOffTitle = 'Turn kube-proxy off';

/** Why the proxy is turned off, and what the administrator has to do on this platform so that it stays off. */
export function proxyOffWhy(context: PlanContext): string {
  const { proxy, title } = platformOf(context);
  const stays = proxy.by === 'instructions' ? ` So that it stays off on ${title}: ${proxy.text}` : '';
  return `eBPF handles every Service now; both together would do the work twice.${stays}`;
}

/** The last chance to notice that the address, the data plane or the protection of the rules has changed. */
export function proxyOffReads(context: PlanContext): GuardedPaths[] {
  const always = [
    { target: installation, paths: [dataplanePath] },
    { target: felix(context), paths: [cleanupFlagPath] },
  ];
  if (bootstrapsByItself(context)) return always;
  const data = [names.endpointHostKey, names.endpointPortKey].map((key) => ['data', key]);
  return [...always, { target: endpointConfigMap(context), paths: data }];
}

/** Repeats the proof right before the proxy goes: if the run was paused, hours may have passed since `bpf.active`. */
export function onceProven(off: { act: Act; done: Condition }): Act {
  return { kind: 'sequence', steps: [{ act: { kind: 'wait' }, done: { kind: 'bpf-active' } }, off] };
}

/** The rules for turning this DaemonSet off and on, and for seeing its rules. */
export function proxyNeeds(daemonSet: ObjectRef): Rule[] {
  const { namespace = '', name } = daemonSet;
  return [rule(resources.daemonSets, ['get', 'patch'], { namespace, names: [name] }), ...proveProxy(namespace)];
}

/** All pods start or stop at the same time. Includes a pull on the slowest node, and its first sync of every Service (operations.md › Proxy is back). */
export function proxyDurations(context: PlanContext): { usualSeconds: number; deadlineSeconds: number } {
  const services = context.facts.resources.serviceCount ?? 0;
  return {
    usualSeconds: 20 + services / 100,
    deadlineSeconds: 300 + services / 10 + (agentRollout(context).nodes ?? 0),
  };
}
