import { type Fields, isRecord, mergeDifference, same } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { textMap } from '#lib/kube/read/lenient.ts';
import type { CalicoKind } from './calico-kinds.ts';
import { isTiered } from './policy-name.ts';
import { wrongSelector } from './selector-syntax.ts';
import { metadataAnnotation, notedMetadata } from './shown-object.ts';
import { withPolicyTypes } from './spec-defaults.ts';

/** What Calico's API refuses to change (libcalico-go/lib/clientv3/ippool.go, validateAndSetDefaults; the tier is part of a policy's name). */
const immutable: Readonly<Record<string, readonly string[]>> = { IPPool: ['cidr', 'blockSize'] };
const immutableOf = (kind: string) => immutable[kind] ?? (isTiered(kind) ? ['tier'] : []);

export type StoredPatch = { readonly body: Fields } | { readonly refused: string };

/**
 * The JSON Merge Patch for the stored object after which it is shown as `after`; empty if nothing changed. Labels and annotations are written twice, in the
 * object's metadata and in the annotation that repeats it: older releases read the former, later ones prefer the latter (calico.md §12). `refused`: the
 * refusal in the API server's words.
 */
export function storedPatch(
  { shown, served }: { readonly shown: KubeObject; readonly served: KubeObject },
  after: KubeObject,
  kind: CalicoKind,
): StoredPatch {
  const { kind: kindName, plural, group } = kind.shown;
  const title = `The ${kindName} ${JSON.stringify(shown.metadata.name)} is invalid:`;
  if (kind.readOnly !== null)
    return { refused: `${plural}.${group} cannot be changed where they are stored: ${kind.readOnly}.` };
  const { labels: _labels, annotations: _annotations, ...fixed } = shown.metadata;
  const { labels: _newLabels, annotations: _newAnnotations, ...given } = after.metadata;
  const other = [...new Set([...Object.keys(fixed), ...Object.keys(given)])].find(
    (key) => !same(fixed[key], given[key]),
  );
  if (other !== undefined)
    return {
      refused: `${title} metadata.${other}: Forbidden: only labels and annotations are changed where objects are stored`,
    };

  const before = isRecord(shown.spec) ? shown.spec : {};
  const wanted = isRecord(after.spec) ? withPolicyTypes(kindName, after.spec) : {};
  const fixedField = immutableOf(kindName).find((field) => !same(before[field], wanted[field]));
  if (fixedField !== undefined)
    return {
      refused: `${title} spec.${fixedField}: Invalid value: ${JSON.stringify(wanted[fixedField])}: field is immutable`,
    };
  const { metadata: _before, spec: _spec, ...restBefore } = shown;
  const { metadata: _after, spec: _wanted, ...restAfter } = after;
  const rest = mergeDifference(restBefore, restAfter);
  // Types alone are no change of the reader's: they go along with one.
  const spec = same(shown.spec, after.spec) ? null : mergeDifference(before, wanted);
  // A component that reads a selector that is none takes the whole policy for no policy, or stops; what was wrong before hinders no other change.
  const wrong = spec === null || wrongSelector(before, 'spec') !== null ? null : wrongSelector(wanted, 'spec');
  if (wrong !== null) return { refused: `${title} ${wrong}` };
  const metadata = metadataPatch(shown, served, after);
  if ('refused' in metadata) return { refused: `${title} ${metadata.refused}` };
  return {
    body: {
      ...rest,
      ...(Object.keys(metadata.body).length > 0 ? { metadata: metadata.body } : {}),
      ...(spec !== null ? { spec } : {}),
    },
  };
}

function metadataPatch(shown: KubeObject, served: KubeObject, after: KubeObject): StoredPatch {
  const changes = { labels: changed(shown, after, 'labels'), annotations: changed(shown, after, 'annotations') };
  const parts = (['labels', 'annotations'] as const).filter((part) => Object.keys(changes[part]).length > 0);
  for (const part of parts) {
    const wrong = Object.entries(changes[part]).find(([, value]) => value !== null && typeof value !== 'string');
    if (wrong)
      return { refused: `metadata.${part}: Invalid value: ${JSON.stringify(wrong[0])}: its value must be a text` };
  }
  if (Object.hasOwn(changes.annotations, metadataAnnotation))
    return { refused: `metadata.annotations: Forbidden: Calico keeps its own notes in ${metadataAnnotation}` };
  const noted = notedMetadata(served);
  if (parts.length === 0) return { body: {} };
  const body: Fields = Object.fromEntries(parts.map((part) => [part, changes[part]]));
  if (noted === null) return { body };
  const next = { ...noted };
  for (const part of parts) {
    const notes = { ...textMap.parse(noted[part]), ...changes[part] };
    next[part] = Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== null));
  }
  return { body: { ...body, annotations: { ...changes.annotations, [metadataAnnotation]: JSON.stringify(next) } } };
}

function changed(shown: KubeObject, after: KubeObject, part: 'labels' | 'annotations'): Fields {
  const [before, wanted] = [shown.metadata[part], after.metadata[part]].map((one) => (isRecord(one) ? one : {}));
  return mergeDifference(before ?? {}, wanted ?? {}) ?? {};
}
