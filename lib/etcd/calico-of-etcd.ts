import { isRecord } from '#lib/base/records.ts';
import {
  type CallOptions,
  isKubeError,
  type Kube,
  KubeError,
  type KubeObject,
  type ListOptions,
  type Page,
} from '#lib/kube/index.ts';
import { apiVersionOf, names, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import { type Etcd, type EtcdAccess, openEtcd } from './etcd.ts';
import { afterPrefix, type KeyValue } from './range.ts';

/**
 * Calico's objects in etcd: `/calico/resources/v3/projectcalico.org/<plural>[/<namespace>]/<name>`, each as its JSON (libcalico-go,
 * lib/backend/model/resource.go; read 2026-11-23).
 */
const root = '/calico/resources/v3/projectcalico.org';
const calicoApi = 'projectcalico.org';
/** The API group of the same objects in the Kubernetes datastore. Objects of it are leftovers that no agent reads. */
const otherDatastore = 'crd.projectcalico.org';
const pageSize = 500;
const mostObjects = 1_000_000;

type CalicoOfEtcd<K extends Kube> = { kube: K; close(): void };

/**
 * The cluster together with Calico's objects from this etcd, in the form of Calico's own API. Only reads them. Rejects with KubeError if etcd does
 * not answer or holds no Calico, before anything else is read.
 */
export async function withCalicoOfEtcd<K extends Kube>(
  kube: K,
  access: EtcdAccess,
  options: CallOptions,
): Promise<CalicoOfEtcd<K>> {
  const etcd = openEtcd(access);
  try {
    const ref = { resource: resources.clusterInformationsV3, name: 'default' };
    if ((await objectIn(etcd, ref, options)) === null)
      throw new KubeError(
        'not-found',
        `etcd at ${access.endpoints[0]?.host} holds no Calico: it has no ${keyOf(ref)}.`,
      );
  } catch (error) {
    etcd.close();
    throw error;
  }
  const list = (resource: Resource, options: ListOptions = {}) => {
    if (resource.group === otherDatastore) return notServed(resource);
    return resource.group === calicoApi ? listIn(etcd, resource, options) : kube.list(resource, options);
  };
  const read: Pick<Kube, 'get' | 'list' | 'listMetadata'> = {
    get: async (ref, options = {}) => {
      if (ref.resource.group === otherDatastore) return null;
      return ref.resource.group === calicoApi ? objectIn(etcd, ref, options) : kube.get(ref, options);
    },
    list,
    listMetadata: (resource, options = {}) =>
      resource.group === calicoApi || resource.group === otherDatastore
        ? list(resource, options)
        : kube.listMetadata(resource, options),
  };
  return { kube: { ...kube, ...read }, close: () => etcd.close() };
}

// biome-ignore lint/correctness/useYield: it is a list of a kind that is not there.
async function* notServed(resource: Resource): AsyncGenerator<Page<KubeObject>> {
  throw new KubeError(
    'not-served',
    `${resource.kind} of ${otherDatastore} counts for nothing here: Calico is in etcd.`,
  );
}

function keyOf({ resource, namespace, name }: ObjectRef): string {
  return [root, resource.plural, ...(resource.namespaced ? [namespace ?? names.systemNamespace] : []), name].join('/');
}

async function objectIn(etcd: Etcd, ref: ObjectRef, options: CallOptions): Promise<KubeObject | null> {
  const { found } = await etcd.range({ key: keyOf(ref), limit: 1 }, options);
  return found[0] === undefined ? null : objectOf(found[0], ref.resource);
}

async function* listIn(
  etcd: Etcd,
  resource: Resource,
  { namespace, ...options }: ListOptions,
): AsyncGenerator<Page<KubeObject>> {
  const prefix = `${[root, resource.plural, ...(namespace === undefined ? [] : [namespace])].join('/')}/`;
  const end = afterPrefix(prefix);
  let key = prefix;
  let limit = pageSize;
  for (let read = 0; read < mostObjects; ) {
    const page = await etcd.range({ key, end, limit }, options).catch((error: unknown) => {
      if (limit > 1 && isKubeError(error, 'too-many-requests')) return null;
      throw error;
    });
    if (page === null) {
      // The objects are large: half as many may fit into an answer.
      limit = Math.floor(limit / 2);
      continue;
    }
    const { found, more } = page;
    read += found.length;
    const items = found.flatMap((one) => objectOf(one, resource) ?? []);
    yield { items, resourceVersion: '', remaining: null, apiVersion: apiVersionOf(resource) };
    const last = found.at(-1);
    if (!more || last === undefined) return;
    key = `${last.key}\u0000`;
  }
  throw new KubeError('protocol', `etcd holds more than ${mostObjects} objects of kind ${resource.kind}.`);
}

/** A value as an object of this kind; null if it is none, which is left out of lists. */
function objectOf({ value }: KeyValue, resource: Resource): KubeObject | null {
  try {
    const parsed: unknown = JSON.parse(value);
    if (!isRecord(parsed) || parsed.kind !== resource.kind || !isRecord(parsed.metadata)) return null;
    return { ...parsed, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: parsed.metadata };
  } catch {
    return null;
  }
}
