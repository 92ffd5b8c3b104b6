import { duplexPair } from 'node:stream';
import { issueCertificate } from '#lib/base/certificates.ts';
import { type Clock, dataOf, KubeError, type KubeObject, type PodHandlers, type Store } from '#lib/kube/index.ts';
import { containerDefaults, deploymentDefaults, podDefaults } from '#lib/operator/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { namespace as aNamespace, service } from './templates/kubeadm.ts';

/** The operator's names (calico.md §6.1–6.2). */
const goldmane = 'goldmane';
const servedAs = [goldmane, `${goldmane}.${names.calicoNamespace}`, `${goldmane}.${names.calicoNamespace}.svc`];
const port = 7443;

/** The objects that the operator creates for flow logs, with this sample's own certificates. */
export function flowLogObjects(now: number): KubeObject[] {
  const authority = issueCertificate({ commonName: 'tigera-operator-signer', use: 'authority' }, now);
  const pair = (name: string, commonName: string, names_: readonly string[]) => {
    const { key, certificate } = issueCertificate({ commonName, names: names_, use: 'end' }, now, authority);
    return inCalico({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      type: 'Opaque',
      data: { 'tls.crt': base64(`${certificate}${authority.certificate}`), 'tls.key': base64(key) },
    });
  };
  const labels = { 'k8s-app': goldmane };
  const listening = [{ name: goldmane, port, protocol: 'TCP', targetPort: port }];
  return [
    { apiVersion: 'operator.tigera.io/v1', kind: 'Goldmane', metadata: { name: 'default' }, spec: {} },
    inCalico({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: goldmane, labels },
      spec: service('10.100.0.60', labels, listening),
      status: { loadBalancer: {} },
    }),
    inCalico({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'goldmane-ca-bundle' },
      data: { 'tigera-ca-bundle.crt': authority.certificate },
    }),
    pair('goldmane-key-pair', goldmane, servedAs),
    pair('whisker-backend-key-pair', 'whisker-backend', []),
    inCalico({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: goldmane, labels },
      spec: {
        ...deploymentDefaults,
        replicas: 1,
        selector: { matchLabels: labels },
        strategy: { type: 'Recreate' },
        template: {
          metadata: { labels },
          spec: {
            ...podDefaults,
            containers: [{ ...containerDefaults, image: 'images.sandbox.example/goldmane:v3.31', name: goldmane }],
            dnsPolicy: 'ClusterFirst',
            terminationGracePeriodSeconds: 30,
          },
        },
      },
    }),
    ...['payments', 'ingress-nginx', 'observability', 'batch'].map((name) => aNamespace(name)),
  ];
}

const inCalico = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: names.calicoNamespace },
});
const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * A sandbox's aggregator. It starts with its first connection, with an hour of sample traffic, and gets more while the sandbox is open. It is reached
 * as on a cluster: through a forwarded port, with mutual TLS and the certificates in the sandbox's Secrets.
 */
export function sandboxAggregator(
  store: () => Store,
  clock: Clock,
  signal: AbortSignal,
): NonNullable<PodHandlers['portForward']> {
  let begun: ReturnType<typeof beginAggregator> | null = null;
  return async (pod) => {
    if (!pod.name.startsWith(`${goldmane}-`) || pod.namespace !== names.calicoNamespace || pod.port !== port)
      throw new KubeError('unreachable', `Nothing listens at port ${pod.port} of ${pod.namespace}/${pod.name}.`);
    begun ??= beginAggregator(store(), clock, signal).catch((error: unknown) => {
      begun = null;
      throw error;
    });
    const served = await begun;
    const [near, far] = duplexPair();
    served.accept(far);
    return near;
  };
}

async function beginAggregator(store: Store, clock: Clock, signal: AbortSignal) {
  const { Aggregator, feedSample, serveAggregator, wireFormatOf } = await import('#lib/flows/index.ts');
  const [secret, bundle] = await Promise.all([
    store.get({ resource: resources.secrets, namespace: names.calicoNamespace, name: 'goldmane-key-pair' }),
    store.get({ resource: resources.configMaps, namespace: names.calicoNamespace, name: 'goldmane-ca-bundle' }),
  ]);
  const text = (key: string) => Buffer.from(dataOf(secret)[key] ?? '', 'base64').toString('utf8');
  const now = () => Math.floor(clock.now() / 1000);
  const aggregator = new Aggregator(now);
  const served = await serveAggregator(aggregator, {
    format: wireFormatOf('v3.31.0'),
    certificates: {
      authority: dataOf(bundle)['tigera-ca-bundle.crt'] ?? '',
      certificate: text('tls.crt'),
      key: text('tls.key'),
    },
    listen: null,
  });
  const endFeed = feedSample(aggregator, now);
  const end = () => {
    endFeed();
    void served.close();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return served;
}
