import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import { standardCluster } from '../testing/sample-cluster.ts';

const kinds = Object.values(resources).filter(({ group }) => !group.includes('openshift'));

const argo = { 'argocd.argoproj.io/tracking-id': 'platform:operator.tigera.io/Installation:/default' };
const flux = { 'kustomize.toolkit.fluxcd.io/name': 'net', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };
const chart = { 'helm.toolkit.fluxcd.io/name': 'calico', 'helm.toolkit.fluxcd.io/namespace': 'calico' };
const bundle = { 'fleet.cattle.io/bundle-name': 'net' };

function source(kind: string, namespace: string, name: string, spec: unknown, annotations = {}): KubeObject {
  const resource = kinds.find((one) => one.kind === kind);
  return {
    apiVersion: `${resource?.group}/${resource?.version}`,
    kind,
    metadata: { namespace, name, annotations },
    spec,
  };
}

/** Marks of the Installation with this metadata, beside these objects. */
async function ownershipOf(metadata: object, sources: KubeObject[] = [], body: object = {}) {
  const objects = standardCluster().map((object) =>
    object.kind === 'Installation' ? { ...object, ...body, metadata: { ...object.metadata, ...metadata } } : object,
  );
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects: [...objects, ...sources] });
  const { ownership } = (await collectFacts({ kube })).resources;
  return ownership.filter(({ object }) => object === 'Installation/default');
}

type Marks = { labels?: Record<string, string>; annotations?: Record<string, string> };
const automated = { syncPolicy: { automated: { selfHeal: true } } };
const respecting = { syncPolicy: { ...automated.syncPolicy, syncOptions: ['RespectIgnoreDifferences=true'] } };
const ignoring = (rule: object) => ({
  ignoreDifferences: [{ group: 'operator.tigera.io', kind: 'Installation', jsonPointers: ['/spec'], ...rule }],
});

test.each<[string, Marks, KubeObject[], string]>([
  ['Argo CD that is not here', { annotations: argo }, [], 'hidden'],
  ['Argo CD', { annotations: argo }, [source('Application', 'argocd', 'platform', automated)], 'acts'],
  [
    'Argo CD on OpenShift',
    { annotations: argo },
    [source('Application', 'openshift-gitops', 'platform', automated)],
    'acts',
  ],
  [
    'Argo CD of another namespace',
    { labels: { 'argocd.argoproj.io/instance': 'team_platform' } },
    [source('Application', 'team', 'platform', automated)],
    'acts',
  ],
  [
    'Argo CD without automatic synchronisation',
    { annotations: argo },
    [source('Application', 'argocd', 'platform', {})],
    'paused',
  ],
  [
    'Argo CD with it turned off',
    { annotations: argo },
    [source('Application', 'argocd', 'platform', { syncPolicy: { automated: { enabled: false } } })],
    'paused',
  ],
  [
    'Argo CD that skips its Application',
    { annotations: argo },
    [source('Application', 'argocd', 'platform', automated, { 'argocd.argoproj.io/skip-reconcile': 'true' })],
    'paused',
  ],
  ...(
    [
      ['that ignores its spec, and writes it with the rest', { ...automated, ...ignoring({}) }, 'acts'],
      ['that ignores its spec in a sync too', { ...respecting, ...ignoring({}) }, 'paused'],
      ['that ignores a field of it', { ...respecting, ...ignoring({ jsonPointers: ['/spec/registry'] }) }, 'acts'],
      ['that ignores another of its kind', { ...respecting, ...ignoring({ name: 'overlay' }) }, 'acts'],
      ['that ignores another kind', { ...respecting, ...ignoring({ kind: 'APIServer' }) }, 'acts'],
    ] as const
  ).map(([what, spec, state]): [string, Marks, KubeObject[], string] => [
    `Argo CD ${what}`,
    { annotations: argo },
    [source('Application', 'argocd', 'platform', spec)],
    state,
  ]),
  ['Gardener', { annotations: { 'resources.gardener.cloud/origin': 'shoot--dev--web/calico' } }, [], 'hidden'],
  ['kOps', { labels: { 'addon.kops.k8s.io/name': 'networking.projectcalico.org' } }, [], 'hidden'],
  ['k0s', { labels: { 'k0s.k0sproject.io/stack': 'calico' } }, [], 'hidden'],
  ['Flux', { labels: flux }, [source('Kustomization', 'flux-system', 'net', {})], 'acts'],
  ['Flux that is not here', { labels: flux }, [], 'acts'],
  ['Flux, suspended', { labels: flux }, [source('Kustomization', 'flux-system', 'net', { suspend: true })], 'paused'],
  [
    'Flux, told to leave the object alone',
    { labels: flux, annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } },
    [source('Kustomization', 'flux-system', 'net', {})],
    'paused',
  ],
  [
    'Flux, told to make the object once',
    { labels: flux, annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' } },
    [],
    'paused',
  ],
  [
    'Flux, told to ignore the object',
    { labels: flux, annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'Ignore' } },
    [],
    'paused',
  ],
  [
    "Flux' HelmRelease, suspended",
    { labels: chart },
    [source('HelmRelease', 'calico', 'calico', { suspend: true })],
    'paused',
  ],
  [
    "Flux' HelmRelease, with what only a Kustomization heeds",
    { labels: chart, annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } },
    [source('HelmRelease', 'calico', 'calico', {})],
    'acts',
  ],
  ["Flux' HelmRelease that is not here", { labels: chart }, [], 'hidden'],
  ['Fleet of Rancher', { labels: bundle }, [], 'hidden'],
  ['Fleet here', { labels: bundle }, [source('Bundle', 'fleet-local', 'net', {})], 'acts'],
  ['Fleet here, paused', { labels: bundle }, [source('Bundle', 'fleet-local', 'net', { paused: true })], 'paused'],
  ['the add-on manager', { labels: { 'addonmanager.kubernetes.io/mode': 'Reconcile' } }, [], 'acts'],
  [
    'the add-on manager that made it once',
    { labels: { 'addonmanager.kubernetes.io/mode': 'EnsureExists' } },
    [],
    'paused',
  ],
])('%s', async (_name, marks, sources, state) => {
  const marked = await ownershipOf(marks, sources);
  expect([...new Set(marked.map((one) => one.state))]).toEqual([state]);
});

test('a source that was not read is named as its mark names it', async () => {
  expect((await ownershipOf({ annotations: argo }))[0]).toMatchObject({
    source: null,
    sought: 'argocd/Application/platform',
  });
  const here = source('Application', 'openshift-gitops', 'platform', automated);
  expect((await ownershipOf({ annotations: argo }, [here]))[0]?.source).toBe('openshift-gitops/Application/platform');
});

test.each(['--all', 'argocd_--all', '--context_platform', 'a b', ''])(
  'a tracking id of %j, which is no name, names no source: a command would take it for a flag',
  async (id) => {
    const mark = { 'argocd.argoproj.io/tracking-id': `${id}:operator.tigera.io/Installation:/default` };
    const [found] = await ownershipOf({ annotations: mark });
    expect(found).toMatchObject({ by: 'argocd', source: null });
    expect(found).not.toHaveProperty('sought');
  },
);

const dataplane = { spec: { calicoNetwork: { linuxDataplane: 'BPF' } } };
const fieldsV1 = { 'f:spec': { 'f:calicoNetwork': { 'f:linuxDataplane': {} } } };
test.each<[string, object, string[]]>([
  ['kubectl', { managedFields: [{ manager: 'kubectl-patch', fieldsV1 }] }, []],
  ['the tool', { managedFields: [{ manager: 'argocd-controller', fieldsV1 }] }, ['spec.calicoNetwork.linuxDataplane']],
  ['nobody who is recorded', {}, []],
  [
    'an apply',
    { annotations: { ...argo, 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(dataplane) } },
    ['spec.calicoNetwork.linuxDataplane'],
  ],
])('a field that %s wrote', async (_name, metadata, writes) => {
  const marks = await ownershipOf({ annotations: argo, ...metadata }, [], dataplane);
  expect(marks[0]?.writes).toEqual(writes);
});
