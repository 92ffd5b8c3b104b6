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
  /** The Calico release whose file was applied. Absent: the one of the other samples. */
  version?: string;
};

/** The objects that `kubectl apply -f` of a public manifest leaves (calico.md §9): no operator, no Installation. */
export function byManifest(
  manifest: CalicoManifest,
  { encapsulation = 'IPIP', version = release.calicoVersion }: Shape = {},
) {
  const isEtcd = manifest === 'calico-etcd';
  return adding(
    ...objectsOf(manifest, version),
    // The kinds exist, without objects, because somebody tried calico.yaml there before.
    ...(isEtcd ? definitions(calicoManifest('calico', version)) : data(encapsulation, version)),
  );
}

/** All objects of the file, as the API server shows them after the apply. */
function objectsOf(manifest: CalicoManifest, version: string): KubeObject[] {
  const objects = calicoManifest(manifest, version);
  const made = objects
    .filter(({ kind }) => kind !== 'CustomResourceDefinition')
    .map((object) => writtenByKubectl(asServed(filledIn(object))));
  return [...definitions(objects), ...made];
}

/** The CustomResourceDefinitions of the file, as the API server shows them. */
function definitions(objects: readonly ManifestObject[]): KubeObject[] {
  const wanted = new Set(objects.map(({ metadata }) => metadata.name));
  return sandboxDefinitions().filter(({ metadata }) => wanted.has(metadata.name ?? ''));
}

/** Replaces the placeholders of the published etcd file, as people do. */
function filledIn(object: ManifestObject): ManifestObject {
  if (object.kind !== 'ConfigMap' || !JSON.stringify(object).includes('<ETCD_IP>')) return object;
  const etcd = { etcd_endpoints: 'https://10.0.0.11:2379', etcd_ca: '/calico-secrets/etcd-ca' };
  return { ...object, data: { ...Object(object.data), ...etcd } };
}

/** The manifest's DaemonSet. `pod`: further fields of its pods. */
export function agent(manifest: CalicoManifest, pod: Record<string, unknown> = {}): KubeObject {
  const found = calicoManifest(manifest, release.calicoVersion).find(({ kind }) => kind === 'DaemonSet');
  if (!found) throw new Error(`${manifest} has no DaemonSet`);
  const served = asServed(found);
  const { template, ...spec } = Object(served.spec);
  return { ...served, spec: { ...spec, template: { ...template, spec: { ...template.spec, ...pod } } } };
}

/** Adds what the API server fills in on creation. */
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

/** Objects of the datastore in the API. An installation with etcd has none there. */
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
