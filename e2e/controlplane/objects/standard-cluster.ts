import { parse } from 'yaml';
import { inParallel } from '#lib/base/async/in-parallel.ts';
import { type EmulatedOperator, emulatedNamed, emulatedOperators } from '#lib/operator/index.ts';
import { type Api, type KubeObject, requestsAtOnce } from '../api.ts';
import { calicoFile } from '../calico-files.ts';
import { defaultEndpoint, kubeadmObjects } from './kubeadm-objects.ts';
import { aNode, createNode, type NodeOptions } from './nodes.ts';
import { type PlatformName, type PlatformShape, platformShapes } from './platform-shapes.ts';

/** Which public operator the stand-in emulates; `none` starts no stand-in. */
export const standIns = [...emulatedOperators, 'none'] as const;
export type StandIn = (typeof standIns)[number];

/** The operator that `--like` or a state folder names, by default the newest. Null: the name is not known. */
export function standInNamed(word?: string): StandIn | null {
  return word === 'none' ? word : emulatedNamed(word);
}

/**
 * What the cluster looks like when it is up:
 * - `standard`: kubeadm with Calico's standard data plane, by the operator
 * - `bpf`: the same on eBPF: endpoint ConfigMap, `linuxDataplane: BPF`, kube-proxy turned off by its nodeSelector
 * - `empty`: kubeadm without a network, for installing
 * - `bare`: nodes and nothing else, for tests that bring their own objects
 */
export const clusterKinds = ['standard', 'bpf', 'empty', 'bare'] as const;
export type ClusterKind = (typeof clusterKinds)[number];

export type ClusterOptions = {
  readonly kind: ClusterKind;
  readonly platform: PlatformName;
  readonly nodes: readonly NodeOptions[];
  readonly calicoVersion: string;
  readonly ca: string;
};

/** The release whose public files the cluster holds. */
export function calicoVersionOf(like: StandIn): EmulatedOperator {
  return like === 'none' ? emulatedOperators[0] : like;
}

/** Marks the cluster as one that `npm run cluster` made; only there may the stand-in act beside the public operator's Deployment. */
const ownCluster: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'kube-system', labels: { 'signalbox.dev/cluster': 'test' } },
};

/** The order of creation: the server refuses an object of an unknown namespace or kind, and a pod of an unknown ServiceAccount. */
const comesFirst = [['Namespace', 'CustomResourceDefinition'], ['ServiceAccount']];

/** The nodes and all objects that kubeadm, or another installer, leaves behind. */
export async function makeKubeadmCluster(api: Api, options: ClusterOptions): Promise<void> {
  const { gitVersion } = await api.get<{ gitVersion: string }>('/version');
  const namespaces = ['kube-public', 'kube-node-lease'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  await inParallel([ownCluster, ...namespaces], requestsAtOnce, (object) => api.apply(object));
  await inParallel(options.nodes, requestsAtOnce, (node) => createNode(api, aNode(node, gitVersion)));
  if (options.kind === 'bare') return;
  const objects = objectsOf(options, gitVersion);
  for (const kinds of comesFirst) {
    const now = objects.filter(({ kind }) => kinds.includes(kind));
    await inParallel(now, requestsAtOnce, (object) => api.apply(object));
  }
  const rest = objects.filter(({ kind }) => !comesFirst.flat().includes(kind));
  await inParallel([...rest, ...readerRights], requestsAtOnce, (object) => api.apply(object));
}

function objectsOf(options: ClusterOptions, kubernetesVersion: string): KubeObject[] {
  const shape: PlatformShape = platformShapes[options.platform];
  const kubeadm = kubeadmObjects({
    kubernetesVersion,
    ca: options.ca,
    endpoint: defaultEndpoint,
    kubeProxy: options.kind === 'bpf' ? 'turned-off-by-selector' : 'on',
  });
  return [...kubeadm.filter((object) => !shape.lacks(object)), ...shape.adds];
}

/**
 * Updates the objects that hold the API server's CA, on a cluster with the data of another plane. In each namespace the controller manager does the same.
 */
export async function nameNewAuthority(api: Api, options: ClusterOptions): Promise<void> {
  const { gitVersion } = await api.get<{ gitVersion: string }>('/version');
  const encoded = Buffer.from(options.ca).toString('base64');
  const naming = objectsOf(options, gitVersion).filter((object) => {
    const text = JSON.stringify(object);
    return text.includes(encoded) || text.includes(JSON.stringify(options.ca).slice(1, -1));
  });
  await inParallel(naming, requestsAtOnce, (object) => api.apply(object));
}

/** Whether pods of every namespace would trust this API server, and no other. */
export async function namespacesKnow(api: Api, ca: string): Promise<boolean> {
  const [namespaces, authorities] = await Promise.all([
    api.list('/api/v1/namespaces'),
    api.list('/api/v1/configmaps?fieldSelector=metadata.name%3Dkube-root-ca.crt'),
  ]);
  const knowing = authorities.filter(({ data }) => (data as { 'ca.crt'?: string })?.['ca.crt']?.trim() === ca.trim());
  return knowing.length === namespaces.length && authorities.length === knowing.length;
}

/** Calico's public CRDs, each as the text of its file. */
export async function calicoDefinitions(version: string): Promise<{ name: string; text: string }[]> {
  return splitDocuments(await calicoFile(version, 'operator-crds.yaml')).map((text) => {
    const name = /^ {2}name: (\S+)$/m.exec(text)?.[1];
    if (!name) throw new Error(`operator-crds.yaml of ${version} holds a document without a name`);
    return { name, text };
  });
}

/**
 * Applies Calico's real CRDs and its operator's real manifest, unmodified. KWOK emulates the operator's pod.
 * The caller starts the stand-in next, and then calls `askForCalico`.
 */
export async function makeCalicoOperator(api: Api, options: ClusterOptions): Promise<void> {
  await inParallel(await calicoDefinitions(options.calicoVersion), requestsAtOnce, ({ name, text }) =>
    api.applyText(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, text),
  );
  const manifest = splitDocuments(await calicoFile(options.calicoVersion, 'tigera-operator.yaml')).map(
    (text) => parse(text) as KubeObject,
  );
  for (const object of manifest) await api.apply(object);
  if (options.kind === 'bpf') {
    const [host = '', port = ''] = defaultEndpoint.split(':');
    await api.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'tigera-operator', name: 'kubernetes-services-endpoint' },
      data: { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port },
    });
  }
}

/**
 * Creates the Installation of the release's custom-resources.yaml. Its APIServer is left out: no server here answers for the aggregated API, and without
 * an answer the operator becomes Degraded (controlplane.md › Recordings, item 9) and discovery fails for all clients.
 * Goldmane and Whisker are left out too: the emulated nodes have no flows.
 */
export async function askForCalico(api: Api, options: ClusterOptions): Promise<void> {
  const documents = splitDocuments(await calicoFile(options.calicoVersion, 'custom-resources.yaml')).map(
    (text) => parse(text) as KubeObject,
  );
  const installation = documents.find(({ kind }) => kind === 'Installation');
  if (!installation) throw new Error(`custom-resources.yaml of ${options.calicoVersion} holds no Installation`);
  const { calicoNetwork, ...spec } = installation.spec as { calicoNetwork: Record<string, unknown> };
  const dataplane = options.kind === 'bpf' ? { linuxDataplane: 'BPF' } : {};
  await api.apply(
    { ...installation, spec: { ...spec, calicoNetwork: { ...calicoNetwork, ...dataplane } } },
    { manager: 'kubectl-create' },
  );
}

const read = ['get', 'list', 'watch'];
const readerRights: readonly KubeObject[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'signalbox-test-reader' },
    rules: [
      { apiGroups: [''], resources: ['nodes'], verbs: read },
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: read },
      { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], verbs: read },
      { apiGroups: ['operator.tigera.io', 'crd.projectcalico.org'], resources: ['*'], verbs: read },
    ],
  },
  ...['view', 'signalbox-test-reader'].map((role) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `signalbox-test-reader-${role}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
  })),
];

function splitDocuments(text: string): string[] {
  return text.split(/^---.*$/m).filter((document) => /^kind:/m.test(document));
}
