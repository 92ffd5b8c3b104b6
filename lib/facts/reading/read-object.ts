import { isRecord } from '#lib/base/records.ts';
import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { anything, fields, listOf, numberOrNull, text, textMap, textOrNull } from '#lib/kube/read/lenient.ts';
import { lastAppliedAnnotation, mask, maskedData } from '#lib/text/index.ts';
import { type ReadObject, readObjectSchema } from '../schema.ts';

const named = fields({
  name: text,
  namespace: textOrNull,
  uid: textOrNull,
  generation: numberOrNull,
  creationTimestamp: textOrNull,
  labels: textMap,
  annotations: textMap,
});

const list = listOf(anything);

const masked = mask('a value of a Secret');

/**
 * An object as Facts keep it: without managedFields, and masked. Environment variables are masked by their name, so that no password of a proxy gets into
 * a report. Everything that an operation writes or guards stays as it is.
 */
export function toReadObject(object: KubeObject | ObjectMetadata): ReadObject {
  const { managedFields: _managedFields, ...rest } = object.metadata;
  const parsed = named.parse(object.metadata);
  const { name, namespace, uid, generation, creationTimestamp, labels, annotations } = parsed;
  const { [lastAppliedAnnotation]: _lastApplied, ...shown } = annotations;
  const present = { namespace, uid, generation, creationTimestamp };
  const metadata = {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !Object.hasOwn(parsed, key))),
    ...Object.fromEntries(Object.entries(present).filter(([, value]) => value !== null)),
    name,
    ...given('labels', rest.labels, labels),
    ...given('annotations', rest.annotations, shown),
  };
  const body = Object.fromEntries(
    Object.entries(object)
      .filter(([key]) => key !== 'metadata')
      .map(([key, value]) => [key, withoutSecrets(object.kind, key, value)]),
  );
  return readObjectSchema.parse({ ...body, apiVersion: object.apiVersion, kind: object.kind, metadata });
}

function given<K extends string>(key: K, original: unknown, value: unknown) {
  return original === undefined || original === null ? {} : { [key]: value };
}

function withoutSecrets(kind: string, key: string, value: unknown): unknown {
  if (kind === 'Secret' && (key === 'data' || key === 'stringData')) {
    return isRecord(value) ? Object.fromEntries(Object.keys(value).map((one) => [one, masked])) : masked;
  }
  return key === 'spec' ? maskedVariables(value) : value;
}

/** A spec with masked `env` of containers. Fields such as `imagePullSecrets` are references that operations may write, and stay. */
function maskedVariables(spec: unknown): unknown {
  if (!isRecord(spec) || !isRecord(spec.template) || !isRecord(spec.template.spec)) return spec;
  const pod = spec.template.spec;
  const containers = (value: unknown) =>
    list
      .parse(value)
      .map((one) =>
        isRecord(one) && Array.isArray(one.env)
          ? { ...one, env: list.parse(one.env).map((variable) => maskedData(variable)) }
          : one,
      );
  const template = {
    ...spec.template,
    spec: {
      ...pod,
      ...('containers' in pod ? { containers: containers(pod.containers) } : {}),
      ...('initContainers' in pod ? { initContainers: containers(pod.initContainers) } : {}),
    },
  };
  return { ...spec, template };
}
