import { resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { agentRollout, everyNode, pullSeconds } from '../agent-rollout.ts';
import { defineOperation } from '../define-operation.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import { awaited } from '../pins/parts.ts';
import { shortText } from '../pins/pattern.ts';

/** Waits for version, rollout and the agent of each node, because TigeraStatus says Available all the while (controlplane.md › Recordings 2). */
export const releaseActive = defineOperation({
  id: 'release.active',
  title: (context) =>
    `Wait until Calico ${requiredRelease(context).version} runs on ${everyNode(agentRollout(context).nodes)}`,
  why: 'The operator updates the agent of one node after the other. The step ends when the operator, the rollout and every agent report the new release.',
  whenPaused:
    'Nodes of both releases run side by side, and the operator continues by itself. Where an agent is not ready, new pods wait.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  mayWrite: () => ({ step: awaited({ kind: 'upgraded', version: shortText }) }),
  needs: ({ calicoNamespace }) => [
    rule(resources.installations, ['get', 'list', 'watch']),
    rule(resources.nodes, ['get', 'list', 'watch']),
    rule(resources.tigeraStatuses, ['get', 'list', 'watch']),
    ...followWorkloads(calicoNamespace),
  ],
  act: { kind: 'wait' },
  done: (context) => ({ kind: 'upgraded', version: requiredRelease(context).version }),
  usualSeconds: (context) => agentRollout(context).usualSeconds + 60,
  deadlineSeconds: (context) => agentRollout(context).deadlineSeconds + pullSeconds,
});
