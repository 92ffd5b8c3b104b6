import { type Fields, same } from '#lib/base/records.ts';
import type { KubeObject } from '../../object.ts';
import { type FieldSet, recursiveDifference, setOf } from '../apply/field-set.ts';
import type { Kind } from '../kinds.ts';
import { templateGeneration } from '../schema/builtin-defaults.ts';

/**
 * What the server decides per kind when it stores an object, besides schema and ownership: the fields of the other endpoint, and when
 * the generation increases. kubernetes pkg/registry/<group>/<kind>/strategy.go; customresource/strategy.go for definitions' kinds.
 */
export type Endpoint = 'main' | 'status';

/** Built-in kinds with a generation, and the fields whose change increases it. Others have no generation. */
const generations: Readonly<Record<string, 'spec' | 'spec-and-annotations' | 'all'>> = {
  'apps/DaemonSet': 'spec',
  'apps/Deployment': 'spec-and-annotations',
  'apps/ReplicaSet': 'spec',
  'apps/StatefulSet': 'spec',
  'batch/CronJob': 'spec',
  'batch/Job': 'spec',
  'networking.k8s.io/Ingress': 'spec',
  'networking.k8s.io/IngressClass': 'spec',
  'networking.k8s.io/NetworkPolicy': 'spec',
  'policy/PodDisruptionBudget': 'spec',
  'apiextensions.k8s.io/CustomResourceDefinition': 'spec',
  'discovery.k8s.io/EndpointSlice': 'all',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 'all',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 'all',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': 'spec',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': 'spec',
};

/** Built-in kinds whose status can be set on creation. */
const statusOnCreate = new Set(['/Node', '/Namespace', '/PersistentVolume', 'apiregistration.k8s.io/APIService']);

/** Built-in kinds whose PUT needs a resourceVersion, like that of custom resources. */
const conditionalUpdates = new Set([
  'coordination.k8s.io/Lease',
  'policy/PodDisruptionBudget',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/VolumeAttachment',
]);

const nameOf = ({ resource }: Kind) => `${resource.group}/${resource.kind}`;

/** Whether a PUT without a resourceVersion overwrites the object. Only of built-in kinds, and not of all of these. */
export function allowsUnconditionalUpdate(kind: Kind): boolean {
  return kind.origin === 'builtin' && !conditionalUpdates.has(nameOf(kind));
}

/** Removes fields from a set that this endpoint does not write. */
export function writableFields(kind: Kind, endpoint: Endpoint): (set: FieldSet) => FieldSet {
  const reset = resetFields(kind, endpoint);
  return reset ? (set) => recursiveDifference(set, reset) : (set) => set;
}

function resetFields(kind: Kind, endpoint: Endpoint): FieldSet | null {
  if (endpoint === 'main') return kind.subresources.includes('status') ? setOf(['f:status']) : null;
  if (kind.origin !== 'builtin') return setOf(['f:metadata'], ['f:spec']);
  return nameOf(kind) === 'apps/Deployment' ? setOf(['f:spec'], ['f:metadata', 'f:labels']) : setOf(['f:spec']);
}

/** Prepares a new object in place. `emptyStatus`: the schema's value for an absent status. */
export function prepareForCreate(kind: Kind, object: KubeObject, emptyStatus: unknown): void {
  if (kind.subresources.includes('status') && !statusOnCreate.has(nameOf(kind))) {
    if (emptyStatus === undefined) delete object.status;
    else object.status = emptyStatus;
  }
  delete object.metadata.generation;
  if (countsGenerations(kind)) object.metadata.generation = 1;
  if (nameOf(kind) === 'apps/DaemonSet') setTemplateGeneration(object, '1');
}

/** The object to store after `updated` was sent to an endpoint. Fields of the other endpoint come from `live`. */
export function prepareForUpdate(kind: Kind, live: KubeObject, updated: KubeObject, endpoint: Endpoint): KubeObject {
  const object = endpoint === 'status' ? onlyStatus(kind, live, updated) : { ...updated };
  if (endpoint === 'main' && kind.subresources.includes('status')) {
    if ('status' in live) object.status = live.status;
    else delete object.status;
  }
  object.metadata = { ...object.metadata };
  if (live.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = live.metadata.generation;
  if (endpoint === 'status') return object;
  if (countsGenerations(kind) && !same(counted(kind, live), counted(kind, object))) {
    object.metadata.generation = (live.metadata.generation ?? 0) + 1;
  }
  if (nameOf(kind) === 'apps/DaemonSet') {
    const before = Number(live.metadata.annotations?.[templateGeneration] ?? 0);
    const changed = !same((live.spec as Fields | undefined)?.template, (object.spec as Fields | undefined)?.template);
    setTemplateGeneration(object, String(changed ? before + 1 : before));
  }
  return object;
}

function onlyStatus(kind: Kind, live: KubeObject, updated: KubeObject): KubeObject {
  const next: KubeObject = { ...live };
  if ('status' in updated) next.status = updated.status;
  else delete next.status;
  if (kind.origin !== 'builtin') {
    const { managedFields: _, ...metadata } = next.metadata;
    const { managedFields, resourceVersion } = updated.metadata;
    return {
      ...next,
      metadata: {
        ...metadata,
        ...(managedFields ? { managedFields } : {}),
        ...(resourceVersion ? { resourceVersion } : {}),
      },
    };
  }
  const { labels } = live.metadata;
  const metadata = { ...updated.metadata };
  if (nameOf(kind) === 'apps/Deployment') {
    if (labels) metadata.labels = labels;
    else delete metadata.labels;
  }
  return { ...next, metadata };
}

/** Whether the kind has `metadata.generation`, which grows with each change of its spec, or of what `counted` returns in its place. */
export function countsGenerations(kind: Kind): boolean {
  return kind.origin !== 'builtin' || nameOf(kind) in generations;
}

function counted(kind: Kind, object: KubeObject): unknown {
  switch (kind.origin === 'builtin' ? generations[nameOf(kind)] : 'all') {
    case 'spec':
      return object.spec;
    case 'spec-and-annotations':
      return [object.spec, object.metadata.annotations ?? {}];
    default: {
      const { metadata: _, ...rest } = object;
      return rest;
    }
  }
}

function setTemplateGeneration(object: KubeObject, value: string): void {
  object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: value };
}
