import { issueCertificate } from '#lib/base/certificates.ts';
import { Aggregator, goldmaneQuirks, type ServedAggregator, sampleTraffic, serveAggregator } from '#lib/flows/index.ts';
import { connect, isKubeError, type KubeObject, type LiveKube } from '#lib/kube/index.ts';
import { sandboxDefinitions } from '#lib/operator/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { eventually } from '../../cluster/testing/eventually.ts';
import { type Plane, setForward, startControlPlane } from '../../controlplane/index.ts';

/** A real API server with what the operator leaves for flow logs, whose forwarded ports lead to an aggregator with the faults of the public one. */
export type FlowPlane = {
  readonly plane: Plane;
  readonly kube: LiveKube;
  /** Makes the Goldmane, without which flow logs are not enabled. */
  enable(): Promise<void>;
  /** Closes the aggregator's port and all its connections. */
  stopAggregator(): Promise<void>;
  /** Another one, with the sample traffic of the last ten minutes where none is given; its pod is as it was. */
  startAggregator(aggregator?: Aggregator): Promise<void>;
  /** Replaces the authority that issues certificates from then on. `writePair` and `writeBundle` then write what it issued. */
  changeAuthority(): void;
  writePair(): Promise<unknown>;
  writeBundle(): Promise<unknown>;
  /** Its pod goes, and its Deployment makes another: what the old one had in memory is lost. */
  replacePod(): Promise<void>;
  stop(): Promise<void>;
};

const namespace = 'calico-system';
const now = () => Math.floor(Date.now() / 1000);
/** The newest bucket that has begun; seconds. */
export const bucketNow = () => Math.floor(now() / 15) * 15;
const newAuthority = () => issueCertificate({ commonName: 'tigera-operator-signer', use: 'authority' }, Date.now());
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** An aggregator with the sample traffic of the last ten minutes. */
export function tenMinutes(): Aggregator {
  const aggregator = new Aggregator(now, goldmaneQuirks);
  for (let start = bucketNow() - 600; start < bucketNow(); start += 15)
    for (const flow of sampleTraffic(start)) aggregator.add(flow);
  return aggregator;
}

export async function startFlowPlane(): Promise<FlowPlane> {
  let authority = newAuthority();
  const pair = (commonName: string, names: readonly string[]) =>
    issueCertificate({ commonName, names, use: 'end' }, Date.now(), authority);
  const plane = await startControlPlane({ kind: 'empty', nodes: 1, like: 'none' });
  const kube = await connect({ kubeconfig: plane.kubeconfig });
  let served: ServedAggregator | null = null;
  /** A kind that was only just defined is not served at once. */
  const created = (resource: Parameters<LiveKube['create']>[0], object: KubeObject) =>
    eventually(`${object.kind} to be made`, () =>
      kube.create(resource, object).then(
        () => true,
        (error: Error) => isKubeError(error, 'already-exists'),
      ),
    );
  const startAggregator = async (aggregator = tenMinutes()) => {
    const { certificate, key } = pair('goldmane', ['goldmane.calico-system.svc']);
    served = await serveAggregator(aggregator, {
      format: 'v3.30',
      certificates: { authority: authority.certificate, certificate, key },
      listen: '127.0.0.1:0',
    });
    setForward(plane.dir, Number(served.address?.split(':').at(-1)));
  };
  const pods = async () => {
    const found: KubeObject[] = [];
    for await (const { items } of kube.list(resources.pods, { namespace })) found.push(...items);
    return found.map(({ metadata }) => metadata.name ?? '');
  };

  await startAggregator();
  for (const definition of sandboxDefinitions())
    if (/^(installations|goldmanes)\./.test(definition.metadata.name ?? ''))
      await kube.create(resources.customResourceDefinitions, definition);
  const bundle = () => ({ 'tigera-ca-bundle.crt': authority.certificate });
  const clientPair = () => {
    const { certificate, key } = pair('whisker-backend', []);
    return { 'tls.crt': base64(certificate), 'tls.key': base64(key) };
  };
  const merge = (resource: Resource, name: string, data: object) =>
    kube.patch({ resource, namespace, name }, { type: 'merge', body: { data } });
  await created(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await created(resources.services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: 'goldmane' },
    spec: { selector: { 'k8s-app': 'goldmane' }, ports: [{ port: 7443, targetPort: 7443 }] },
  });
  await created(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'goldmane-ca-bundle' },
    data: bundle(),
  });
  await created(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'whisker-backend-key-pair' },
    data: clientPair(),
  });
  await created(resources.deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: 'goldmane' },
    spec: {
      selector: { matchLabels: { 'k8s-app': 'goldmane' } },
      template: {
        metadata: { labels: { 'k8s-app': 'goldmane' } },
        // No network is there that would make the node ready for others.
        spec: {
          containers: [{ name: 'goldmane', image: 'images.example/goldmane' }],
          tolerations: [{ operator: 'Exists' }],
        },
      },
    },
  });
  await created(resources.installations, {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec: { variant: 'Calico' },
  });
  await kube.patch(
    { resource: resources.installations, name: 'default' },
    { type: 'merge', body: { status: { calicoVersion: 'v3.31.4' } } },
    { subresource: 'status' },
  );

  return {
    plane,
    kube,
    enable: () =>
      created(resources.goldmanes, {
        apiVersion: 'operator.tigera.io/v1',
        kind: 'Goldmane',
        metadata: { name: 'default' },
        spec: {},
      }),
    stopAggregator: async () => {
      await served?.close();
      served = null;
    },
    startAggregator,
    changeAuthority: () => {
      authority = newAuthority();
    },
    writePair: () => merge(resources.secrets, 'whisker-backend-key-pair', clientPair()),
    writeBundle: () => merge(resources.configMaps, 'goldmane-ca-bundle', bundle()),
    replacePod: async () => {
      const before = await pods();
      for (const name of before) await kube.delete({ resource: resources.pods, namespace, name });
      await eventually('another pod', async () => (await pods()).some((name) => !before.includes(name)));
    },
    stop: async () => {
      await kube.close();
      await served?.close();
      await plane.stop();
    },
  };
}
