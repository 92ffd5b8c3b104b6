import { dataOf, installationOf, isKubeError, type Kube, type KubeObject, podState } from '#lib/kube/index.ts';
import { fields, listOf, numberOrNull, text, textMap, textOrNumber } from '#lib/kube/read/lenient.ts';
import { isEnterprise, names, releaseAtLeast, resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { FlowError, withCommands } from '../flow-error.ts';
import { type WireFormat, wireFormatOf } from '../wire/wire-format.ts';
import { aggregatorBundle as bundle, clientPairs, aggregatorName as service } from './names.ts';

/** A cluster's aggregator, and what its mutual TLS needs. The key pair stays in this process' memory. */
export type FoundAggregator = {
  readonly pod: { readonly namespace: string; readonly name: string; readonly port: number };
  readonly format: WireFormat;
  /** The name in the certificate that the aggregator must show. */
  readonly serverName: string;
  /** In PEM, as the two below. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  /** Identifies the aggregator's process. A different text means that an earlier process and its memory are gone. */
  readonly process: string;
};

/** Keys of the bundle, in the order of preference (calico.md §6.2). */
const bundleKeys = ['tigera-ca-bundle.crt', 'ca.crt'] as const;
const usualPort = 7443;
const longestPem = 1_000_000;

const serviceOf = fields({
  spec: fields({ selector: textMap, ports: listOf(fields({ port: numberOrNull, targetPort: textOrNumber })) }),
});
const containersOf = fields({
  status: fields({ containerStatuses: listOf(fields({ state: fields({ running: fields({ startedAt: text }) }) })) }),
});

/**
 * Finds the aggregator with the user's own rights. Rejects with a FlowError that says what to do, or with the KubeError of a cluster that does not
 * answer.
 */
export async function findAggregator(kube: Kube, signal?: AbortSignal): Promise<FoundAggregator> {
  const options = signal === undefined ? {} : { signal };
  if (kube.source === 'dump')
    throw new FlowError('no-cluster', 'A dump has no flow logs. Name a cluster: --context NAME or --sandbox NAME.');
  const format = await formatOf(kube, options);
  const { portForward } = kube;
  if (portForward === undefined) throw new FlowError('no-cluster', 'Pods of this cluster cannot be connected to.');
  const found = await allowed('services', () => kube.get({ ...at(service), resource: resources.services }, options));
  if (found === null) throw notReady('its Service is not there yet');
  const pod = await readyPod(kube, found, options);
  const [authority, pair] = await Promise.all([authorityOf(kube, options), clientPair(kube, options)]);
  const state = containersOf.parse(pod).status.containerStatuses[0]?.state;
  return {
    pod: { namespace: names.calicoNamespace, name: pod.metadata.name ?? '', port: portOf(found) },
    format,
    serverName: `${service}.${names.calicoNamespace}.svc`,
    authority,
    ...pair,
    process: `${pod.metadata.uid} ${state?.running.startedAt}`,
  };
}

async function formatOf(kube: Kube, options: { signal?: AbortSignal }): Promise<WireFormat> {
  const installation = await allowed('installations', () =>
    kube.get({ resource: resources.installations, name: names.installation }, options),
  );
  if (installation === null)
    throw new FlowError(
      'no-operator',
      "Flow logs need Calico's operator, and this cluster has no Installation. Install Calico first; where a manifest installed it, move to the operator.",
    );
  const { spec, status } = installationOf(installation);
  if (isEnterprise(spec.variant))
    throw new FlowError(
      'enterprise',
      'This is Calico Enterprise: its flow logs are in Elasticsearch. Open its Manager, page Service Graph.',
    );
  const version = status.calicoVersion ?? '';
  if (releaseAtLeast(version, 'v3.30') === 'no')
    throw new FlowError(
      'too-old',
      withCommands(
        `Flow logs came with Calico v3.30; this cluster runs ${visibleLine(version)}. Upgrade it:`,
        'upgrade',
      ),
    );
  const goldmane = await allowed('goldmanes', () =>
    kube.get({ resource: resources.goldmanes, name: 'default' }, options),
  );
  if (goldmane === null)
    throw new FlowError(
      'not-enabled',
      withCommands(
        'Flow logs are not enabled. This command enables them and restarts calico-node on every node; an undo turns them off again:',
        'enable',
      ),
    );
  return wireFormatOf(version);
}

async function readyPod(kube: Kube, found: KubeObject, options: { signal?: AbortSignal }): Promise<KubeObject> {
  const selector = Object.entries(serviceOf.parse(found).spec.selector)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  const pods: KubeObject[] = [];
  await allowed('pods', async () => {
    const pages = kube.list(resources.pods, {
      ...options,
      namespace: names.calicoNamespace,
      labelSelector: selector === '' ? `k8s-app=${service}` : selector,
    });
    for await (const { items } of pages) pods.push(...items);
  });
  const states = pods.map((pod) => podState(pod)).sort((a, b) => b.createdAt - a.createdAt);
  const ready = states.find((state) => state.ready);
  if (ready) return ready.object;
  const [newest] = states;
  throw notReady(newest ? `its pod ${visibleLine(newest.words)}` : 'it has no pod yet');
}

async function authorityOf(kube: Kube, options: { signal?: AbortSignal }): Promise<string> {
  const found = await allowed('configmaps', () => kube.get({ ...at(bundle), resource: resources.configMaps }, options));
  const data = dataOf(found);
  const pem = bundleKeys.map((key) => data[key]).find((text) => text !== undefined && text.length <= longestPem);
  if (pem?.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new FlowError(
    'certificates',
    withCommands(
      `ConfigMap ${names.calicoNamespace}/${bundle} holds no certificate authority: the aggregator cannot be verified. The operator writes it. Check its status:`,
      'status',
    ),
  );
}

async function clientPair(
  kube: Kube,
  options: { signal?: AbortSignal },
): Promise<{ certificate: string; key: string }> {
  let refused: { name: string; error: unknown } | null = null;
  for (const name of clientPairs) {
    try {
      const secret = await kube.get({ ...at(name), resource: resources.secrets }, options);
      const data = dataOf(secret);
      const [certificate, key] = [decoded(data['tls.crt']), decoded(data['tls.key'])];
      if (certificate !== '' && key !== '') return { certificate, key };
    } catch (error) {
      if (!isKubeError(error, 'forbidden')) throw error;
      refused ??= { name, error };
    }
  }
  if (refused !== null)
    throw new FlowError(
      'forbidden',
      `You may not read Secret ${clientPairs.join(' or ')} in ${names.calicoNamespace}: the aggregator requires its certificate. Ask an administrator for: get secrets, resource name ${refused.name}.`,
      refused.error,
    );
  throw new FlowError(
    'certificates',
    withCommands(
      `There is no certificate for the aggregator: neither Secret ${clientPairs.join(' nor ')} in ${names.calicoNamespace} holds a pair. The operator writes them. Check its status:`,
      'status',
    ),
  );
}

/** Turns a missing right into a FlowError that names what needs it. */
async function allowed<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    const because = error.message.replace(/\.?$/, '.');
    throw new FlowError(
      'forbidden',
      withCommands(
        `You may not read what flow logs need (${what}): ${because} Ask for the Role signalbox-enable-flows, one of those that this prints:`,
        'roles',
      ),
      error,
    );
  }
}

function notReady(because: string): FlowError {
  return new FlowError(
    'not-ready',
    withCommands(`Flow logs are enabled, and the aggregator does not run: ${because}. Look at it:`, 'pods', 'status'),
  );
}

function portOf(found: KubeObject): number {
  const { ports } = serviceOf.parse(found).spec;
  const target = ports[0]?.targetPort ?? ports[0]?.port;
  return typeof target === 'number' ? target : usualPort;
}

const at = (name: string) => ({ namespace: names.calicoNamespace, name });
const decoded = (base64: string | undefined) =>
  base64 === undefined || base64.length > longestPem ? '' : Buffer.from(base64, 'base64').toString('utf8');
