import { agentRollout } from '../agent-rollout.ts';
import { defineOperation, write } from '../define-operation.ts';
import { fieldAt, patchAt } from '../field.ts';
import { objectOf } from '../objects.ts';
import type { PlanContext } from '../operation.ts';
import { felix } from '../places.ts';
import { protectRules } from '../proxy-first.ts';
import { proxyRemoval } from '../proxy-removal.ts';
import { followWorkloads, writeFelix } from '../rules.ts';
import { cleanupPath } from './felix-cleanup-flag.ts';

/** The value that was read when the plan was made, or none. */
function earlier(context: PlanContext) {
  const value = fieldAt(objectOf(context.facts.resources.objects, felix(context)), cleanupPath);
  return write(felix(context), patchAt(cleanupPath, value ?? null) as Record<string, unknown>);
}

/** Once the proxy is gone for good its leftover rules may go; where it stays the flag stays false. */
export const felixCleanupRestore = defineOperation({
  id: 'felix.cleanup-restore',
  title: 'Let Calico clean up what the service proxy left behind',
  why: 'The proxy is gone; its old rules would only cost time for every packet.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => proxyRemoval(context) !== 'stays',
  needs: (scope) => [...writeFelix(scope), ...followWorkloads(scope.calicoNamespace)],
  reads: (context) => [{ target: felix(context), paths: [cleanupPath] }],
  act: (context) => earlier(context).act,
  done: (context) => earlier(context).done,
  /** Before the proxy is asked back, and every agent must have taken it in: otherwise they delete the rules that it writes. */
  undo: (context) => {
    return {
      title: 'Protect the service proxy’s rules again',
      ...protectRules(context),
      phase: 'cleanup-off',
      usualSeconds: 30,
      deadlineSeconds: Math.max(180, agentRollout(context).nodes),
    };
  },
});
