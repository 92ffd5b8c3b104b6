import { isRecord } from '#lib/base/records.ts';
import { readKinds } from '#lib/facts/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { mask, maskedData } from '#lib/text/index.ts';

/** It holds the whole object once more. That it is there tells who applied it, and stays. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * An object as `signalbox dump --redact` writes it. Masked: values of environment variables but those of Kubernetes' and Calico's own namespaces,
 * ConfigMaps that no fact is read from, the copy that kubectl keeps in an annotation, and what looks like a credential anywhere. Names, labels,
 * images, arguments and addresses stay: findings are about them.
 */
export function redacted(object: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  const withoutCopy =
    annotations?.[lastApplied] === undefined
      ? object
      : { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [lastApplied]: masked } } };
  const plain = maskedData(withoutNeedless(withoutCopy));
  // A record stays one: only what is in it is masked.
  return plain as KubeObject;
}

const masked = mask('left out of the dump');

function withoutNeedless(object: KubeObject): unknown {
  if (object.kind === 'ConfigMap') return isNeeded(object) ? object : withoutData(object);
  return systemNamespaces().has(object.metadata.namespace ?? '') ? object : withoutEnv(object);
}

function withoutData(object: KubeObject): unknown {
  const { data, binaryData, ...rest } = object;
  return { ...rest, ...(isRecord(data) ? { data: allMasked(data) } : {}), ...(binaryData ? { binaryData: {} } : {}) };
}

function allMasked(data: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.keys(data).map((key) => [key, masked]));
}

/** In any depth: a pod, the template of a workload, and whatever kind of another product has containers in it. */
function withoutEnv(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEnv);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'env' && Array.isArray(inner) ? inner.map(withoutValue) : withoutEnv(inner),
    ]),
  );
}

function withoutValue(variable: unknown): unknown {
  return isRecord(variable) && 'value' in variable ? { ...variable, value: masked } : variable;
}

/** Those that facts are read from: by name, the endpoint's wherever it lies, and journals of runs. */
function isNeeded({ metadata: { namespace = '', name, labels } }: KubeObject): boolean {
  if (name === names.endpointConfigMap || labels?.[names.runLabel] !== undefined) return true;
  return configMapRules().some((rule) => rule.namespace === namespace && rule.name === name);
}

const once = <T>(make: () => T) => {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
const configMapRules = once(
  () => readKinds().find(({ resources: [first] }) => first === resources.configMaps)?.rules ?? [],
);
/** Namespaces in which facts are read by the names of objects. */
const systemNamespaces = once(
  () => new Set(readKinds().flatMap(({ rules }) => rules.flatMap(({ namespace }) => namespace ?? []))),
);
