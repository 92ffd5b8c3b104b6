import type { KubeObject } from '#lib/kube/index.ts';
import { containerDefaults, ipPoolOf, podDefaults, sandboxDefinitions } from '#lib/operator/index.ts';
import type { ManifestObject } from '#lib/spec/index.ts';
import { type CalicoManifest, calicoManifest } from '../release/calico-manifest.ts';
import { podSubnet } from './cluster-shape.ts';
import { release } from './release.ts';
import { adding } from './variations.ts';
import { writtenByKubectl } from './written-by-kubectl.ts';

type Shape = {
  encapsulation?: 'IPIP' | 'VXLAN';
  /** Whose file was applied; absent: that of the other samples. */
  version?: string;
};

/** What `kubectl apply -f` of one of the public manifests leaves (calico.md §9). No operator, no Installation. */
export function byManifest(
  manifest: CalicoManifest,
  { encapsulation = 'IPIP', version = release.calicoVersion }: Shape = {},
) {
  const isEtcd = manifest === 'calico-etcd';
  return adding(
    ...objectsOf(manifest, version),
    // Kinds without objects: calico.yaml was tried there before.
    ...(isEtcd ? definitions(calicoManifest('calico', version)) : data(encapsulation, version)),
  );
}

/** Everything in the file, as the API server shows it then. */
function objectsOf(manifest: CalicoManifest, version: string): KubeObject[] {
  const objects = calicoManifest(manifest, version);
  const made = objects
    .filter(({ kind }) => kind !== 'CustomResourceDefinition')
    .map((object) => writtenByKubectl(asServed(filledIn(object))));
  return [...definitions(objects), ...made];
}

/** Those of the file, as they are served. */
function definitions(objects: readonly ManifestObject[]): KubeObject[] {
  const wanted = new Set(objects.map(({ metadata }) => metadata.name));
  return sandboxDefinitions().filter(({ metadata }) => wanted.has(metadata.name ?? ''));
}

/** The published file of etcd has placeholders, which people replace. */
function filledIn(object: ManifestObject): ManifestObject {
  if (object.kind !== 'ConfigMap' || !JSON.stringify(object).includes('<ETCD_IP>')) return object;
  const etcd = { etcd_endpoints: 'https://10.0.0.11:2379', etcd_ca: '/calico-secrets/etcd-ca' };
  return { ...object, data: { ...Object(object.data), ...etcd } };
}

/** Its DaemonSet; `pod` for what else its pods have. */
export function agent(manifest: CalicoManifest, pod: Record<string, unknown> = {}): KubeObject {
  const found = calicoManifest(manifest, release.calicoVersion).find(({ kind }) => kind === 'DaemonSet');
  if (!found) throw new Error(`${manifest} has no DaemonSet`);
  const served = asServed(found);
  const { template, ...spec } = Object(served.spec);
  return { ...served, spec: { ...spec, template: { ...template, spec: { ...template.spec, ...pod } } } };
}

/** With what the API server adds to what it is given. */
function asServed(object: ManifestObject): KubeObject {
  if (object.kind !== 'DaemonSet' && object.kind !== 'Deployment') return object;
  const { template, ...spec } = Object(object.spec);
  const { containers, initContainers, ...pod } = template.spec;
  const withDefaults = (container: object) => ({ ...containerDefaults, ...container });
  const isDaemon = object.kind === 'DaemonSet';
  return {
    ...object,
    spec: {
      revisionHistoryLimit: 10,
      ...(isDaemon ? {} : { progressDeadlineSeconds: 600 }),
      ...spec,
      ...(isDaemon && { updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }, type: 'RollingUpdate' } }),
      template: {
        ...template,
        spec: {
          ...podDefaults,
          dnsPolicy: 'ClusterFirst',
          terminationGracePeriodSeconds: 30,
          ...pod,
          serviceAccount: pod.serviceAccountName,
          containers: containers.map(withDefaults),
          ...(initContainers && { initContainers: initContainers.map(withDefaults) }),
        },
      },
    },
  };
}

/** The kinds of the datastore in the API; an etcd installation has none there. */
function data(encapsulation: 'IPIP' | 'VXLAN', calicoVersion: string): KubeObject[] {
  const crd = (kind: string, spec: Record<string, unknown>): KubeObject => ({
    apiVersion: 'crd.projectcalico.org/v1',
    kind,
    metadata: { name: 'default', generation: 1 },
    spec,
  });
  const { labels: _ours, ...metadata } = ipPoolOf({ name: 'default-ipv4-ippool', cidr: podSubnet }).metadata;
  const pool = ipPoolOf({
    name: 'default-ipv4-ippool',
    cidr: podSubnet,
    encapsulation,
    natOutgoing: 'Enabled',
    blockSize: 26,
  });
  return [
    crd('FelixConfiguration', {
      bpfConnectTimeLoadBalancing: 'TCP',
      floatingIPs: 'Disabled',
      logSeverityScreen: 'Info',
    }),
    crd('ClusterInformation', { calicoVersion, clusterType: 'k8s,bgp,kdd', datastoreReady: true }),
    { ...pool, metadata: { ...metadata, generation: 1 } },
  ];
}
