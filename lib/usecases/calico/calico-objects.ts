import { type CalicoKind, kindNamed, shownObject, storedNames } from '#lib/calico-api/index.ts';
import { type Discovery, type Kube, KubeError, type KubeObject, matcherOf } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import { readVersions } from '#lib/status/index.ts';

/** The cluster serves no kind of this name, in either form; in kubectl's words. */
export class NoSuchKind extends KubeError {
  constructor(word: string) {
    super('not-found', `error: the server doesn't have a resource type ${JSON.stringify(word)}`);
  }
}

/** One kind, and how its objects are reached on this cluster: through Calico's own API, or where that stores them. */
export type OpenKind = {
  readonly kind: CalicoKind;
  readonly served: Resource;
  readonly through: 'calico-api' | 'datastore';
  /** Version of Calico on this cluster; null if unknown or not needed. */
  readonly calicoVersion: string | null;
};

/** An object as it is shown and as the server has it; the same one where Calico's API answers. */
export type FoundObject = { readonly shown: KubeObject; readonly served: KubeObject };

/**
 * The kinds that words name (`hep`, `gnp,np`), each in the form that this cluster serves: `projectcalico.org/v3` where it answers, else
 * `crd.projectcalico.org/v1`. Throws as kubectl does where there is no such kind; where Calico keeps its data in etcd, what lies in the API is a
 * leftover that nothing reads, and is refused.
 */
export async function openKinds(kube: Kube, words: readonly string[], signal: AbortSignal): Promise<OpenKind[]> {
  const discovery = await kube.discover({ signal });
  const named = words.map((word) => formOf(word, kindNamed(word, discovery.resources), discovery));
  if (named.every(({ through }) => through === 'calico-api')) {
    return named.map((one) => ({ ...one, calicoVersion: null }));
  }
  const { calico, datastore } = await readVersions(kube, signal);
  if (datastore === 'etcd')
    throw new KubeError(
      'unreachable',
      "Calico keeps its data in etcd, and its own API (projectcalico.org/v3) is not served: what lies in crd.projectcalico.org is read by nothing. Install Calico's API server, or use calicoctl of the cluster's version with access to etcd.",
    );
  return named.map((one) => ({ ...one, calicoVersion: calico }));
}

function formOf(word: string, kind: CalicoKind | null, discovery: Discovery): Omit<OpenKind, 'calicoVersion'> {
  if (kind === null) throw new NoSuchKind(word);
  const serves = ({ group, version, plural }: Resource) =>
    discovery.resources.some((one) => one.group === group && one.version === version && one.plural === plural);
  const away = discovery.failing.find(({ groupVersion }) => groupVersion === 'projectcalico.org/v3');
  if (away === undefined && serves(kind.shown)) return { kind, served: kind.shown, through: 'calico-api' };
  if (kind.stored !== null && serves(kind.stored)) return { kind, served: kind.stored, through: 'datastore' };
  if (away === undefined && kind.stored !== null) throw new NoSuchKind(word);
  throw new KubeError(
    'unreachable',
    `Error from server (ServiceUnavailable): ${kind.shown.plural}.${kind.shown.group} is served by Calico's own API server alone, and ${away ? `${away.because}.` : 'there is none.'}`,
  );
}

export type Selection = { readonly namespace: string | null; readonly labelSelector: string | null };

/** Sorted by namespace and name, as the API does. Labels are matched as they are shown: in storage they are encoded as text. */
export async function listObjects(
  kube: Kube,
  open: OpenKind,
  selection: Selection,
  signal: AbortSignal,
): Promise<FoundObject[]> {
  const matches = matcherOf(selection.labelSelector === null ? {} : { labelSelector: selection.labelSelector });
  const found: FoundObject[] = [];
  const inNamespace =
    open.kind.shown.namespaced && selection.namespace !== null ? { namespace: selection.namespace } : {};
  for await (const { items } of kube.list(open.served, { ...inNamespace, signal })) {
    for (const served of items) {
      const shown = shownObject(served, open.kind, open.calicoVersion);
      if (matches(shown)) found.push({ shown, served });
    }
  }
  return found.toSorted((left, right) => compare(sortKey(left.shown), sortKey(right.shown)));
}

const sortKey = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** Null where there is none. A policy is found by the name that Calico's API shows, and by no other (calico#10391). */
export async function findObject(
  kube: Kube,
  open: OpenKind,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<FoundObject | null> {
  const { kind, served: resource } = open;
  const names = open.through === 'calico-api' ? [name] : storedNames(kind.shown.kind, name);
  for (const candidate of names) {
    const ref = { resource, name: candidate, ...(kind.shown.namespaced ? { namespace } : {}) };
    const served = await kube.get(ref, { signal });
    const shown = served && shownObject(served, kind, open.calicoVersion);
    if (served && shown?.metadata.name === name) return { shown, served };
  }
  return null;
}
