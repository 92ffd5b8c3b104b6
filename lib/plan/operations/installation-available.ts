import { resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { agentRollout, everyNode } from '../agent-rollout.ts';
import { defineOperation } from '../define-operation.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import { awaited } from '../pins/parts.ts';
import { text } from '../pins/pattern.ts';

/** Every node pulls every image at the same time. */
const firstPullSeconds = 300;

/** Waits for the operator's status and for the rollout: neither alone is reliable (controlplane.md › Recordings 2, 8, 14). */
export const installationAvailable = defineOperation({
  id: 'installation.available',
  title: (context) =>
    `Wait until Calico ${requiredRelease(context).version} runs on ${everyNode(agentRollout(context).nodes)}`,
  why: 'The operator reports it for the Installation as it is now, and every agent runs.',
  whenPaused:
    'Calico is being installed while the service proxy still runs. Where an agent is not ready, new pods wait.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  mayWrite: (_operation, { release }) => ({
    step: awaited({ kind: 'installation-available', version: release ?? text(/^v\d/) }),
  }),
  needs: ({ calicoNamespace }) => [
    rule(resources.installations, ['get', 'list', 'watch']),
    rule(resources.tigeraStatuses, ['get', 'list', 'watch']),
    ...followWorkloads(calicoNamespace),
  ],
  act: { kind: 'wait' },
  done: (context) => ({ kind: 'installation-available', version: requiredRelease(context).version }),
  usualSeconds: (context) => agentRollout(context).usualSeconds + 60,
  deadlineSeconds: (context) => agentRollout(context).deadlineSeconds + firstPullSeconds,
});
