import type { KubeObject } from '#lib/kube/index.ts';
import { answersAnnotation } from '../workloads/answering-endpoints.ts';
import type { Variation } from './cluster-shape.ts';

/** `kube-system/ConfigMap/kubeadm-config`, `Installation/default`: the form in which samples name the objects that they change. */
export type ObjectId = string;

function idOf({ kind, metadata: { namespace, name } }: KubeObject): ObjectId {
  return `${namespace ? `${namespace}/` : ''}${kind}/${name}`;
}

/** Applies the variations in order. */
export function all(...variations: readonly Variation[]): Variation {
  return (objects) => variations.reduce<KubeObject[]>((changed, variation) => variation(changed), [...objects]);
}

export function adding(...added: readonly KubeObject[]): Variation {
  return (objects) => [...objects, ...structuredClone([...added])];
}

/** Removes these objects. Throws for an id that no object has, so that a sample shows what it says. */
export function without(...ids: readonly ObjectId[]): Variation {
  return (objects) => {
    const known = new Set(objects.map(idOf));
    for (const id of ids) if (!known.has(id)) throw new Error(`the sample has no ${id} that could be left out`);
    return objects.filter((object) => !ids.includes(idOf(object)));
  };
}

/** Changes one object. Throws for an id that no object has. */
export function changing(id: ObjectId, change: (object: KubeObject) => KubeObject): Variation {
  return (objects) => {
    if (!objects.some((object) => idOf(object) === id)) throw new Error(`the sample has no ${id} that could change`);
    return objects.map((object) => (idOf(object) === id ? change(structuredClone(object)) : object));
  };
}

/** Replaces texts anywhere in an object, where building it anew would hide the difference. Throws for a text that is not there. */
export function replacing(...pairs: readonly (readonly [string, string])[]): (object: KubeObject) => KubeObject {
  return (object) => {
    const changed = pairs.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${idOf(object)} of the sample has no ${from}`);
      return text.replace(from, to);
    }, JSON.stringify(object));
    return JSON.parse(changed) as KubeObject;
  };
}

export function marking(
  id: ObjectId,
  marks: { labels?: Record<string, string>; annotations?: Record<string, string> },
) {
  return changing(id, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      // The API server shows no empty map.
      ...(marks.labels ? { labels: { ...object.metadata.labels, ...marks.labels } } : {}),
      ...(marks.annotations ? { annotations: { ...object.metadata.annotations, ...marks.annotations } } : {}),
    },
  }));
}

/** Merges `fields` into `spec`, one level deep: lists and nested objects are replaced. */
export function specifying(id: ObjectId, fields: Record<string, unknown>): Variation {
  return changing(id, (object) => ({ ...object, spec: { ...Object(object.spec), ...fields } }));
}

const kubeadmMarks = ['kube-system/ConfigMap/kubeadm-config', 'kube-public/ConfigMap/cluster-info'] as const;

/** Turns the cluster into one that kubeadm did not make. `answers`: `host:port` of the API as its nodes reach it. */
export function notByKubeadm(...answers: readonly string[]): Variation {
  return all(
    without(...kubeadmMarks),
    marking('default/Service/kubernetes', { annotations: { [answersAnnotation]: answers.join(',') } }),
  );
}

export const noKubeProxy: Variation = without(
  'kube-system/DaemonSet/kube-proxy',
  'kube-system/ConfigMap/kube-proxy',
  'kube-system/ServiceAccount/kube-proxy',
);
