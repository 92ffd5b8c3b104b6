import { isRecord, valueAt } from '#lib/base/records.ts';
import { apiVersionOf, names, type Resource, resources } from '#lib/spec/index.ts';
import type { KubeObject } from '../object.ts';
import { type DumpContents, kindKey, type RunOfKind, runsOfKinds } from './dump-contents.ts';

/** A list of a kind that lacks objects. `lacks`: a phrase after `no KIND`; `namespaces`: those in which the list is complete. */
export type PartOfList = { readonly lacks: string; readonly namespaces: ReadonlySet<string> };

/**
 * Kinds whose list is only a part, of one namespace or label, as other objects of the dump show (`-A` was forgotten or refused). Only signs that hold on
 * every cluster count: a list without `kube-system` may be complete on hosted clusters. Lists that `signalbox dump` recorded as complete are not checked.
 */
export function partsOfLists(contents: DumpContents, runs: readonly RunOfKind[]): ReadonlyMap<string, PartOfList> {
  const recorded = new Set(
    contents.records.flatMap(({ kinds }) =>
      kinds.filter(({ state }) => state === 'complete').map(({ apiVersion, kind }) => kindKey(apiVersion, kind)),
    ),
  );
  const byKind = objectsByKind(runs);
  const held = namespacesOf(byKind);
  const parts = new Map<string, PartOfList>();
  const add = (key: string, lacks: string, namespaces: ReadonlySet<string> = held.get(key) ?? new Set()) => {
    if (contents.kinds.has(key) && !recorded.has(key) && !parts.has(key)) parts.set(key, { lacks, namespaces });
  };

  const isAutoMode = runsOnAutoModeAlone(byKind.get(keyOf(resources.nodes)) ?? []);
  for (const { resource, is, lacks, unlessAutoMode = false } of alwaysHeld) {
    const own = byKind.get(keyOf(resource));
    if (own && !(unlessAutoMode && isAutoMode) && !own.some(is)) add(keyOf(resource), lacks);
  }
  for (const [key, shown] of shownIn(byKind)) {
    const own = held.get(key);
    // A list with two namespaces is not the list of one.
    if (own && own.size > 1) continue;
    const other = [...shown].find(([namespace]) => !own?.has(namespace));
    if (other) add(key, `of ${other[0]}, where ${other[1]} has some: their list is incomplete`);
  }
  // Kubernetes' controllers put one into every namespace, of which there are four at least (pkg/controller/certificates/rootcacertpublisher).
  const configMaps = keyOf(resources.configMaps);
  const [only, ...others] = held.get(configMaps) ?? [];
  if (only !== undefined && others.length === 0 && byKind.get(configMaps)?.some(isRootCa))
    add(configMaps, `outside of ${only}, and every namespace has some: their list is incomplete`);
  // A List of several kinds comes from one command with one scope: if one kind is incomplete, all are.
  for (const list of parts.size === 0 ? [] : contents.lists) {
    const scoped = namespacesOf(objectsByKind(runsOfKinds(list)));
    const namespaces = new Set([...scoped.values()].flatMap((own) => [...own]));
    const [namespace] = namespaces;
    if (namespaces.size !== 1 || ![...scoped.keys()].some((key) => parts.has(key))) continue;
    for (const key of scoped.keys())
      if (held.get(key)?.size === 1) add(key, `outside of ${namespace}: only its objects were read`);
  }
  const { clusterInfoNamespaces } = contents;
  if (clusterInfoNamespaces.size > 0 && !clusterInfoNamespaces.has('kube-public'))
    for (const key of inClusterInfo.map(keyOf)) {
      if ([...(held.get(key) ?? [])].some((namespace) => !clusterInfoNamespaces.has(namespace))) continue;
      const some = [...clusterInfoNamespaces].sort().join(' and ');
      const lacks = `outside of ${some}: kubectl cluster-info dump writes no others without --all-namespaces`;
      add(key, lacks, clusterInfoNamespaces);
    }
  return parts;
}

const isRootCa = ({ metadata }: KubeObject) => metadata.name === 'kube-root-ca.crt';

/** Objects that exist on every cluster, so that a list of their kind without them is incomplete. */
const alwaysHeld: readonly {
  resource: Resource;
  is(object: KubeObject): boolean;
  lacks: string;
  unlessAutoMode?: true;
}[] = [
  {
    // The API server makes this Service itself, and again where somebody deletes it (kubernetes pkg/controlplane/controller/kubernetesservice).
    resource: resources.services,
    is: ({ metadata: { namespace, name } }) => namespace === 'default' && name === 'kubernetes',
    lacks: 'default/kubernetes, which every cluster has: their list is incomplete',
  },
  ...[resources.pods, resources.daemonSets].map((resource) => ({
    resource,
    is: ({ metadata: { namespace = '' } }: KubeObject) =>
      /^(?:kube-system|calico-system|tigera-operator|calico-.*|openshift-.*)$/.test(namespace),
    lacks: 'of kube-system or of Calico, and every cluster has some: their list is incomplete',
    unlessAutoMode: true as const,
  })),
];

/**
 * EKS Auto Mode needs no add-on for the network: its nodes have DNS, service proxy and network in themselves, and kube-system may have no pod
 * (https://docs.aws.amazon.com/eks/latest/userguide/managing-coredns.html; awsdocs/amazon-eks-user-guide#1149; read 2026-11-23). One node of
 * another kind brings some.
 */
function runsOnAutoModeAlone(nodes: readonly KubeObject[]): boolean {
  return (
    nodes.length > 0 && nodes.every(({ metadata }) => metadata.labels?.['eks.amazonaws.com/compute-type'] === 'auto')
  );
}

/** `kubectl cluster-info dump` writes these for each namespace: kube-system and the current one, or with `-A` all, kube-public among them. */
const inClusterInfo = [resources.pods, resources.services, resources.daemonSets, resources.deployments];

type Shown = { readonly resource: Resource; readonly namespace: string | undefined };

/** By kind: other objects that its objects show to exist, so that a list without these is incomplete. */
const witnesses = new Map<string, (object: KubeObject) => readonly Shown[]>([
  [keyOf(resources.daemonSets), (object) => podsOf(object, 'numberReady')],
  [keyOf(resources.deployments), (object) => [...podsOf(object, 'readyReplicas'), ...dnsServiceOf(object)]],
  [keyOf(resources.statefulSets), (object) => podsOf(object, 'readyReplicas')],
  [keyOf(resources.pods), (object) => both(ownersOf(object), dnsServiceOf(object))],
  [keyOf(resources.tigeraStatuses), installed],
]);

/** By kind: namespaces that must have objects of it, each with the object that shows it. */
function shownIn(byKind: ReadonlyMap<string, readonly KubeObject[]>): Map<string, Map<string, string>> {
  const shown = new Map<string, Map<string, string>>();
  for (const [witness, showing] of witnesses)
    for (const object of byKind.get(witness) ?? [])
      for (const { resource, namespace } of showing(object)) {
        const key = keyOf(resource);
        const byNamespace = shown.get(key) ?? new Map<string, string>();
        shown.set(key, byNamespace);
        if (namespace === undefined || byNamespace.has(namespace)) continue;
        const { namespace: own, name } = object.metadata;
        byNamespace.set(namespace, `${object.kind} ${own === undefined ? '' : `${own}/`}${name}`);
      }
  return shown;
}

function podsOf({ metadata: { namespace }, status }: KubeObject, ready: string): Shown[] {
  const count = valueAt(status, [ready]);
  return typeof count === 'number' && count > 0 ? [{ resource: resources.pods, namespace }] : [];
}

const owners: ReadonlyMap<string, Resource> = new Map([
  ['DaemonSet', resources.daemonSets],
  ['StatefulSet', resources.statefulSets],
  ['ReplicaSet', resources.deployments],
]);

/** A ReplicaSet is of a Deployment where its pods have the label that the Deployment's controller gives (kubernetes pkg/controller/deployment/sync.go). */
function ownersOf({ metadata }: KubeObject): readonly Shown[] {
  const { namespace, labels, ownerReferences, deletionTimestamp } = metadata;
  if (ownerReferences === undefined || deletionTimestamp !== undefined) return nothing;
  return ownerReferences.flatMap(({ apiVersion, kind, controller }) => {
    const resource = owners.get(kind);
    if (!resource || controller !== true || apiVersion !== apiVersionOf(resource)) return [];
    return kind === 'ReplicaSet' && labels?.['pod-template-hash'] === undefined ? [] : [{ resource, namespace }];
  });
}

/** Pods of cluster DNS always have a Service beside them (spec › names; kubernetes cluster/addons/dns). */
function dnsServiceOf({ metadata: { namespace, labels } }: KubeObject): readonly Shown[] {
  return labels?.['k8s-app'] === 'kube-dns' ? [{ resource: resources.services, namespace }] : nothing;
}

/** A shared empty list, since nearly every pod shows no other object. */
const nothing: readonly Shown[] = [];
const both = (some: readonly Shown[], more: readonly Shown[]) => (more.length === 0 ? some : some.concat(more));

/** Objects that must exist once the operator reports the installation as complete. */
function installed({ metadata, status }: KubeObject): Shown[] {
  const conditions = valueAt(status, ['conditions']);
  const isThere =
    metadata.name === 'calico' &&
    Array.isArray(conditions) &&
    conditions.some((one) => isRecord(one) && one.type === 'Available' && one.status === 'True');
  if (!isThere) return [];
  return [resources.pods, resources.daemonSets, resources.deployments].map((resource) => ({
    resource,
    namespace: names.calicoNamespace,
  }));
}

function objectsByKind(runs: readonly RunOfKind[]): Map<string, readonly KubeObject[]> {
  const byKey = Map.groupBy(runs, ({ first }) => kindKey(first.apiVersion, first.kind));
  return new Map([...byKey].map(([key, own]) => [key, own.flatMap(({ objects }) => objects)]));
}

/** Of kinds that have namespaces. */
function namespacesOf(byKind: ReadonlyMap<string, readonly KubeObject[]>): Map<string, Set<string>> {
  const held = new Map<string, Set<string>>();
  for (const [key, objects] of byKind) {
    const namespaces = new Set<string>();
    let last: string | undefined;
    for (const { metadata } of objects) {
      if (metadata.namespace === last || metadata.namespace === undefined) continue;
      last = metadata.namespace;
      namespaces.add(last);
    }
    if (namespaces.size > 0) held.set(key, namespaces);
  }
  return held;
}

function keyOf(resource: Resource): string {
  return kindKey(apiVersionOf(resource), resource.kind);
}
