import { isRecord } from '#lib/base/records.ts';
import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, textMap } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { names } from '#lib/spec/index.ts';

const stored = fields({ labels: textMap, annotations: textMap });

/**
 * Name and labels of a Calico object as Calico's own API shows them, for both forms of it: the stored form has the labels in an annotation (calico.md
 * §12).
 */
export function calicoMetadata(object: KubeObject | ObjectMetadata) {
  const { name, namespace, labels, annotations } = metadata.parse(object.metadata);
  return { name, namespace, labels: { ...labels, ...labelsIn(annotations[names.metadataAnnotation]) } };
}

function labelsIn(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? stored.parse(parsed).labels : {};
  } catch {
    return {};
  }
}
