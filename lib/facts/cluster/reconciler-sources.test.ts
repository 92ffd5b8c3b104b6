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

type Marks = { labels?: Record<string, string>; annotations?: Record<string, string> };
const automated = { syncPolicy: { automated: { selfHeal: true } } };

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
  const objects = standardCluster().map((object) =>
    object.kind === 'Installation' ? { ...object, metadata: { ...object.metadata, ...marks } } : object,
  );
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects: [...objects, ...sources] });
  const { ownership } = (await collectFacts({ kube })).resources;
  expect([
    ...new Set(ownership.filter(({ object }) => object === 'Installation/default').map((one) => one.state)),
  ]).toEqual([state]);
});
