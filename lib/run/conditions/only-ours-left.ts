import { valueAt } from '#lib/base/records.ts';
import type { Subject } from '#lib/facts/index.ts';
import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { isOwnObject, names, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress } from './progress.ts';

const named = 20;

/**
 * These namespaces, and the kinds of these definitions, hold only objects of this run, of the operator and of Calico itself. Deleting a namespace or a
 * definition deletes its objects too, so the run pauses where one of them is somebody else's, and names it.
 */
export async function onlyOursLeft(
  { within }: Extract<Condition, { kind: 'only-ours-left' }>,
  { kube, signal }: Pick<ConditionContext, 'kube' | 'signal'>,
): Promise<Progress> {
  const foreign: Subject[] = [];
  for (const ref of within) {
    const found = await foreignIn(kube, ref, signal);
    if ('because' in found) return { kind: 'unknown', because: found.because, subjects: [] };
    foreign.push(...found.subjects);
  }
  if (foreign.length === 0)
    return met([{ object: within.map(({ name }) => name).join(', '), path: 'objects of others', value: 0 }]);
  const list = foreign
    .slice(0, 5)
    .map(({ kind, namespace, name }) => `${kind} ${namespace ? `${namespace}/` : ''}${name}`);
  const more = foreign.length > list.length ? ` and ${foreign.length - list.length} more` : '';
  return {
    kind: 'failed',
    code: 'objects.of-others',
    because: `Not made by this run: ${list.join(', ')}${more}. To continue would delete ${foreign.length === 1 ? 'it' : 'them'}. Keep a copy and delete ${foreign.length === 1 ? 'it' : 'them'}, or stop here: then what holds ${foreign.length === 1 ? 'it' : 'them'} stays.`,
    subjects: foreign.slice(0, named),
  };
}

type Found = { subjects: Subject[] } | { because: string };

/**
 * Objects in this namespace, or of this definition's kind, that are not the run's, the operator's or Calico's; `because`: why they are not known.
 * Rejects with a KubeError.
 */
export async function foreignIn(kube: Kube, ref: ObjectRef, signal: AbortSignal): Promise<Found> {
  const object = await kube.get(ref, { signal });
  if (object === null) return { subjects: [] };
  if (ref.resource.kind === resources.customResourceDefinitions.kind) {
    const resource = resourceOfDefinition(object);
    return resource === null ? { subjects: [] } : foreignOf(kube, resource, undefined, signal);
  }
  const { resources: served } = await kube.discover({ signal });
  const subjects: Subject[] = [];
  const seen = new Set<string>();
  for (const { verbs, ...resource } of served) {
    const key = `${resource.group}/${resource.plural}`;
    const passes =
      !resource.namespaced || !verbs.includes('list') || resource.plural.includes('/') || measured.has(resource.group);
    if (passes || seen.has(key)) continue;
    seen.add(key);
    const found = await foreignOf(kube, resource, ref.name, signal);
    if ('because' in found) return found;
    subjects.push(...found.subjects);
  }
  return { subjects };
}

/** API groups that are not listed: metrics are no objects, and events and Calico's objects are listed in another group. */
const measured: ReadonlySet<string> = new Set(['metrics.k8s.io', 'events.k8s.io', 'projectcalico.org']);

async function foreignOf(
  kube: Kube,
  resource: Resource,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const subjects: Subject[] = [];
  const { group, version, kind } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  try {
    for await (const page of kube.list(resource, { ...(namespace === undefined ? {} : { namespace }), signal })) {
      for (const object of page.items) {
        if (isOwnObject({ ...object, apiVersion, kind }) || isOwned(object) || isWrittenByUs(object)) continue;
        const { name = '', namespace: where = null } = object.metadata;
        subjects.push({
          kind,
          namespace: where,
          name,
          detail: `made by ${managersOf(object).join(', ') || 'somebody else'}`,
        });
      }
    }
  } catch (error) {
    if (isKubeError(error, 'not-served')) return { subjects: [] };
    if (isKubeError(error, 'forbidden')) return { because: `Other objects could not be read: ${error.message}` };
    throw error;
  }
  return { subjects };
}

/** An owned object is deleted with its owner, which is looked at itself. */
function isOwned({ metadata }: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).length > 0;
}

const ours: ReadonlySet<string> = new Set([
  names.fieldManager,
  names.operatorFieldManager,
  'kube-controller-manager',
  'kube-apiserver',
  'kube-scheduler',
  'kubelet',
]);

/** Whether only this product, the operator and Kubernetes itself have written the object. False without a record of its writers. */
function isWrittenByUs(object: KubeObject): boolean {
  const managers = managersOf(object);
  return managers.length > 0 && managers.every((manager) => ours.has(manager));
}

function managersOf({ metadata }: KubeObject): string[] {
  const writers = (metadata.managedFields ?? []).filter(({ subresource }) => !subresource);
  return [...new Set(writers.map(({ manager }) => manager ?? ''))].filter((manager) => manager !== '');
}

function resourceOfDefinition(definition: KubeObject): Resource | null {
  const text = (path: readonly string[]) => {
    const value = valueAt(definition, path);
    return typeof value === 'string' ? value : null;
  };
  const versions = valueAt(definition, ['spec', 'versions']);
  const served = (
    Array.isArray(versions) ? (versions as { name?: string; served?: boolean; storage?: boolean }[]) : []
  ).filter((one) => one.served !== false);
  const version = (served.find(({ storage }) => storage === true) ?? served[0])?.name;
  const group = text(['spec', 'group']);
  const kind = text(['spec', 'names', 'kind']);
  const plural = text(['spec', 'names', 'plural']);
  if (version === undefined || group === null || kind === null || plural === null) return null;
  return { group, version, kind, plural, namespaced: text(['spec', 'scope']) === 'Namespaced' };
}
