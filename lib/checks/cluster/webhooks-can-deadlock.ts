import { agreeing, counted } from '#lib/base/words.ts';
import type { WebhookFact } from '#lib/facts/index.ts';
import { defineCheck } from '../check.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { listed } from '../wording/sentences.ts';

/** A backend counts as on the pod network unless every pod behind it was seen on the host's network (checks.md). */
const needsPodNetwork = ({ backend }: WebhookFact) => backend.onHostNetwork !== true;

export const webhooksCanDeadlock = defineCheck({
  id: 'webhooks.can-deadlock',
  group: 'Platform and permissions',
  severity: 'warning',
  goals: ['install', 'enable', 'upgrade'],
  reads: ['webhooks'],
  title: "No webhook that needs the pod network can refuse Calico's own objects",
  gap: "A webhook on the pod network can refuse Calico's objects",
  topic: 'Webhooks',
  ifIgnored: 'Calico cannot restart after an outage',
  consequence:
    'While the pod network is down, such a webhook does not answer. The API server then refuses the pods that would restore the network.',
  remedy: {
    steps: [
      'Exclude the namespaces named here with a namespaceSelector, or set failurePolicy to Ignore for now.',
      'Check again.',
    ],
    details: [
      'The selector can match the label kubernetes.io/metadata.name.',
      'If you accept this, keep the command at hand that deletes the webhook configuration.',
    ],
    fixIn: 'compatibility',
  },
  source: 'pain H10',
  run: ({ resources: { webhooks } }) => {
    const failing = webhooks.filter(needsPodNetwork);
    if (failing.length === 0) {
      return {
        kind: 'pass',
        because:
          webhooks.length === 0
            ? "No webhook with failurePolicy Fail is asked about Calico's namespaces, DaemonSets or pods."
            : `${counted(webhooks.length, 'webhook')} could refuse Calico's objects, and every pod behind ${agreeing(webhooks.length, 'it', 'them')} is on the host network.`,
      };
    }
    const objects = [...new Set(failing.map(({ object }) => object))];
    return {
      kind: 'fail',
      because: `${listed(objects)} ${agreeing(objects.length, 'has', 'have')} a webhook with failurePolicy Fail that is asked about Calico's objects and answered from the pod network.`,
      subjects: failing.map((one) => ({ ...objectSubject(one.object), detail: detailOf(one) })),
      evidence: failing.slice(0, 50).map((one) => ({
        object: one.object,
        path: `webhooks[${one.webhook}].clientConfig`,
        value: one.backend.object,
      })),
    };
  },
});

function detailOf({ webhook, asked, namespaces, backend }: WebhookFact): string {
  const network =
    backend.onHostNetwork === null ? 'which pods are behind it could not be seen' : 'its pods are on the pod network';
  return `${webhook} is asked about ${listed(asked)} in ${listed(namespaces)}; ${backend.object}: ${network}`;
}
