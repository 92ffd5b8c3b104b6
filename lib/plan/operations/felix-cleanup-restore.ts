import { cleanupFlagPath } from '#lib/spec/index.ts';
import { followWorkloads, writeFelix } from '../access/rules.ts';
import { agentRollout } from '../agent-rollout.ts';
import { defineOperation } from '../define-operation.ts';
import { earlierCleanup } from '../objects/cleanup-flag.ts';
import { felix } from '../objects/object-refs.ts';
import { felixRef, patched, protectedAgain, undoneBy } from '../pins/parts.ts';
import { bool, either } from '../pins/pattern.ts';
import { protectRules } from '../proxy/proxy-first.ts';
import { proxyRemoval } from '../proxy/proxy-removal.ts';

/** Once the proxy is gone for good, its rules may be deleted. If it stays, the flag stays false. */
export const felixCleanupRestore = defineOperation({
  id: 'felix.cleanup-restore',
  title: 'Let Calico clean up what the service proxy left behind',
  why: 'The proxy is off. Its old rules would only slow down every packet.',
  whenPaused: 'Traffic is as before.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => proxyRemoval(context) !== 'stays',
  mayWrite: () => ({
    step: patched(felixRef, { spec: { bpfKubeProxyIptablesCleanupEnabled: either(null, bool) } }),
    undo: undoneBy('cleanup-off', protectedAgain),
  }),
  needs: (scope) => [...writeFelix(scope), ...followWorkloads(scope.calicoNamespace)],
  reads: (context) => [{ target: felix(context), paths: [cleanupFlagPath] }],
  act: (context) => earlierCleanup(context).act,
  done: (context) => earlierCleanup(context).done,
  /** Undone before the proxy comes back, and every agent must have read the flag: otherwise agents delete the rules that the proxy writes. */
  undo: (context) => {
    return {
      title: 'Protect the service proxy’s rules again',
      ...protectRules(context),
      phase: 'cleanup-off',
      usualSeconds: 30,
      deadlineSeconds: Math.max(180, agentRollout(context).nodes ?? 0),
    };
  },
});
