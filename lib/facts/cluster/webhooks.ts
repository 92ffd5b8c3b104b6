import { type KubeObject, type ObjectMetadata, podOf, serviceOf } from '#lib/kube/index.ts';
import { fields, listOf, type Parsed, text, textOrNull, texts } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { calicoNamespaces, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { labelSelector, selects } from '../reading/label-selector.ts';
import { picked, type Query } from '../reading/query.ts';
import type { Missing, Reading } from '../reading/reading.ts';
import type { Listing, Session } from '../reading/session.ts';
import type { WebhookFact } from '../schema.ts';

const webhook = fields({
  name: text,
  failurePolicy: textOrNull,
  namespaceSelector: labelSelector,
  clientConfig: fields({ url: textOrNull, service: fields({ namespace: textOrNull, name: textOrNull }) }),
  rules: listOf(fields({ apiGroups: texts, resources: texts, operations: texts })),
});
const configuration = fields({ metadata, webhooks: listOf(webhook) });
type Webhook = Parsed<typeof webhook>;

/** Resources that an installation must create (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/). */
const wanted: readonly { group: string; resource: string }[] = [
  { group: '', resource: 'namespaces' },
  { group: '', resource: 'pods' },
  { group: 'apps', resource: 'daemonsets' },
];

/** Webhooks of a configuration that can refuse these resources in Calico's namespaces. `failurePolicy` is Fail by default in v1. */
export function webhooksOf(object: KubeObject | ObjectMetadata): Found[] {
  const { metadata: meta, webhooks } = configuration.parse(object);
  return webhooks
    .filter(({ failurePolicy }) => failurePolicy !== 'Ignore')
    .flatMap((one): Found[] => {
      const matched = wanted.filter((what) => isCalledFor(one, what)).map(({ resource }) => resource);
      const namespaces = calicoNamespaces.filter((namespace) => selects(one.namespaceSelector, labelsOf(namespace)));
      if (matched.length === 0 || namespaces.length === 0) return [];
      return [
        {
          object: `${object.kind}/${meta.name}`,
          webhook: one.name,
          asked: matched,
          namespaces,
          client: one.clientConfig,
        },
      ];
    });
}

type Found = Omit<WebhookFact, 'backend'> & { client: Webhook['clientConfig'] };

function isCalledFor({ rules }: Webhook, { group, resource }: { group: string; resource: string }): boolean {
  return rules.some(
    ({ apiGroups, resources: called, operations }) =>
      apiGroups.some((one) => one === '*' || one === group) &&
      called.some((one) => one === '*' || one === '*/*' || one === resource) &&
      (operations.length === 0 || operations.some((one) => ['*', 'CREATE', 'UPDATE'].includes(one))),
  );
}

/** The label that every namespace has. Webhooks do not select by other labels of Calico's namespaces (pod security). */
const labelsOf = (namespace: string) => ({ 'kubernetes.io/metadata.name': namespace });

const configurations = [
  picked({ resources: [resources.validatingWebhooks], detail: 'full' }, webhooksOf),
  picked({ resources: [resources.mutatingWebhooks], detail: 'full' }, webhooksOf),
] as const;

const webhookFacts: Query<WebhookFact[]> = {
  rules: [
    ...configurations.flatMap(({ rules }) => rules),
    { verb: 'get', group: '', resource: 'services' },
    { verb: 'list', group: '', resource: 'pods' },
  ],
  enlist: (session) => {
    const fetches = configurations.map((query) => query.enlist(session));
    return async (): Promise<Reading<WebhookFact[]>> => {
      const read = await Promise.all(fetches.map((fetch) => fetch()));
      const missing: Missing[] = read.flatMap((one) => one.missing);
      const backends = new Map<string, Promise<WebhookFact['backend']>>();
      const found = read
        .flatMap(({ value }) => value.flat())
        .map(async ({ client, ...fact }) => {
          const key = JSON.stringify(client);
          const backend = backends.get(key) ?? backendOf(client, session);
          backends.set(key, backend);
          return { ...fact, backend: await backend };
        });
      return { value: await Promise.all(found), missing };
    };
  },
};

export const webhooks = defineCollector({
  id: 'webhooks',
  provides: ['webhooks'],
  reads: { webhookFacts },
  collect: (read) => ({ resources: { webhooks: read.webhookFacts.value } }),
});

/** What serves a webhook. A URL needs no pod network. `onHostNetwork` null: the pods behind the Service were not seen. */
async function backendOf(client: Webhook['clientConfig'], session: Session): Promise<WebhookFact['backend']> {
  const { namespace, name } = client.service;
  if (namespace === null || name === null) return { object: client.url ?? 'a URL', onHostNetwork: true };
  const object = `${namespace}/Service/${name}`;
  const read = await session.object({ resource: resources.services, namespace, name });
  if (read.value === null) return { object, onHostNetwork: null };
  const labels = Object.entries(serviceOf(read.value).spec.selector);
  if (labels.length === 0) return { object, onHostNetwork: null };
  const listing: Listing = {
    resources: [resources.pods],
    detail: 'full',
    namespace,
    labelSelector: labels.map(([key, value]) => `${key}=${value}`).join(','),
  };
  const seen: boolean[] = [];
  const { missing } = await session.enlist(listing, {
    each: (pod) => void seen.push(podOf(pod).spec.hostNetwork === true),
    result: () => seen,
  })();
  if (missing.length > 0 || seen.length === 0) return { object, onHostNetwork: null };
  return { object, onHostNetwork: seen.every(Boolean) };
}
