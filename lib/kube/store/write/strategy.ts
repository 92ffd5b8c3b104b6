import { type Fields, same } from '#lib/base/records.ts';
import type { KubeObject } from '../../object.ts';
import { type FieldSet, recursiveDifference, setOf } from '../apply/field-set.ts';
import { copy } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { templateGeneration } from '../schema/builtin-defaults.ts';

/**
 * What the server decides per kind when it stores an object, beside schema and ownership: the fields of the other endpoint, and when
 * the generation grows. kubernetes pkg/registry/<group>/<kind>/strategy.go; customresource/strategy.go for definitions' kinds.
 */
export type Endpoint = 'main' | 'status';

/** Built-in kinds that count generations, and what a change of counts. All others have none. */
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

/** Built-in kinds that take a status when they are created. */
const statusOnCreate = new Set(['/Node', '/Namespace', '/PersistentVolume', 'apiregistration.k8s.io/APIService']);

/** Built-in kinds whose PUT needs a resourceVersion, as that of every custom resource does. */
const conditionalUpdates = new Set([
  'coordination.k8s.io/Lease',
  'policy/PodDisruptionBudget',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/VolumeAttachment',
]);

const nameOf = ({ resource }: Kind) => `${resource.group}/${resource.kind}`;

export function allowsUnconditionalUpdate(kind: Kind): boolean {
  return kind.origin === 'builtin' && !conditionalUpdates.has(nameOf(kind));
}

/** Drops from a set of fields what this endpoint does not write. */
export function fieldsKept(kind: Kind, endpoint: Endpoint): (set: FieldSet) => FieldSet {
  const reset = resetFields(kind, endpoint);
  return reset ? (set) => recursiveDifference(set, reset) : (set) => set;
}

function resetFields(kind: Kind, endpoint: Endpoint): FieldSet | null {
  if (endpoint === 'main') return kind.subresources.includes('status') ? setOf(['f:status']) : null;
  if (kind.origin !== 'builtin') return setOf(['f:metadata'], ['f:spec']);
  return nameOf(kind) === 'apps/Deployment' ? setOf(['f:spec'], ['f:metadata', 'f:labels']) : setOf(['f:spec']);
}

/** In place. `emptyStatus` is what the schema writes when there is none. */
export function prepareForCreate(kind: Kind, object: KubeObject, emptyStatus: unknown): void {
  if (kind.subresources.includes('status') && !statusOnCreate.has(nameOf(kind))) {
    if (emptyStatus === undefined) delete object.status;
    else object.status = emptyStatus;
  }
  delete object.metadata.generation;
  if (countsGenerations(kind)) object.metadata.generation = 1;
  if (nameOf(kind) === 'apps/DaemonSet') setTemplateGeneration(object, '1');
}

/** The object to store after `updated` was sent to an endpoint: what the other endpoint writes is taken from `live`. */
export function prepareForUpdate(kind: Kind, live: KubeObject, updated: KubeObject, endpoint: Endpoint): KubeObject {
  const object = endpoint === 'status' ? onlyStatus(kind, live, updated) : { ...updated };
  if (endpoint === 'main' && kind.subresources.includes('status')) {
    if ('status' in live) object.status = copy(live.status);
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
  const kept: KubeObject = { ...copy(live) };
  if ('status' in updated) kept.status = updated.status;
  else delete kept.status;
  if (kind.origin !== 'builtin') {
    const { managedFields: _, ...metadata } = kept.metadata;
    const { managedFields, resourceVersion } = updated.metadata;
    return {
      ...kept,
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
  return { ...kept, metadata };
}

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
