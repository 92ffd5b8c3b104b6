import { isRecord } from '#lib/base/records.ts';
import { readKinds } from '#lib/facts/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import { lastAppliedAnnotation, mask, maskedData } from '#lib/text/index.ts';

/**
 * An object as `signalbox dump` writes it. Of objects of GitOps tools only the fields that pause the tool stay: their specs hold whole
 * manifests, chart values and Secrets.
 */
export function writtenObject(object: KubeObject, detail: 'whole' | 'redacted'): KubeObject {
  const one = sourceKinds.has(kindOf(object)) ? onlyPauses(object) : object;
  return detail === 'redacted' ? redacted(one) : one;
}

const kindOf = ({ apiVersion, kind }: KubeObject) => `${apiVersion.split('/')[0]} ${kind}`;
const sourceKinds: ReadonlySet<string> = new Set(
  [resources.argoApplications, resources.fluxKustomizations, resources.fluxHelmReleases, resources.fleetBundles].map(
    ({ group, kind }) => `${group} ${kind}`,
  ),
);

/** Keeps the fields that facts/cluster/reconciler-sources.ts reads. */
function onlyPauses(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = withoutCopies(object);
  const spec = isRecord(object.spec) ? object.spec : {};
  const read = ['suspend', 'paused', 'syncPolicy', 'ignoreDifferences']
    .filter((name) => name in spec)
    .map((name) => [name, spec[name]]);
  return { apiVersion, kind, metadata, spec: Object.fromEntries(read) };
}

/**
 * An object as `signalbox dump --redact` writes it. Masked are: values of environment variables, except in Kubernetes' and Calico's own namespaces;
 * ConfigMaps that no fact is read from; copies of objects in annotations; and whatever looks like a credential. Names, labels, images, arguments and
 * addresses stay, because findings name them.
 */
function redacted(object: KubeObject): KubeObject {
  const plain = maskedData(withoutNeedless(withoutCopies(object)));
  // Helm's record keeps its form; only its content is masked.
  return plain as KubeObject;
}

/** Masks copies but keeps their annotation: it tells who applied the object. */
function withoutCopies(object: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (!annotations) return object;
  const shown = Object.entries(annotations).map(([name, value]) => [name, isCopy(name, value) ? masked : value]);
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(shown) } };
}

/** Annotations in which kubectl, kapp and Kopf keep the whole object, or what they wrote of it, as JSON. */
function isCopy(name: string, value: string): boolean {
  if (packedCopies.has(name)) return true;
  if (readAsJson.has(name) || !value.trimStart().startsWith('{')) return false;
  try {
    return isRecord(JSON.parse(value));
  } catch {
    return false;
  }
}
/** Compressed copies of Wrangler and Banzai Cloud, and kubectl's, whatever is in it. */
const packedCopies: ReadonlySet<string> = new Set([
  lastAppliedAnnotation,
  'objectset.rio.cattle.io/applied',
  'banzaicloud.com/last-applied',
]);
/** Names of containers, and the labels of a Calico object: facts are read from them. */
const readAsJson: ReadonlySet<string> = new Set(['sidecar.istio.io/status', 'projectcalico.org/metadata']);

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

/** Masks environment variables at any depth: in pods, in the templates of workloads, and in kinds of other products that hold containers. */
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

/** Whether facts are read from this ConfigMap: some by name, the endpoint's in any namespace, and journals of runs. */
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
/**
 * Namespaces in which facts read workloads by name. Facts also read other objects by name, but from shared namespaces such as `default`, which are
 * not system namespaces for that.
 */
const systemNamespaces = once(() => {
  const running = readKinds().filter(({ resources: [first] }) => first && whatRuns.has(first));
  return new Set(running.flatMap(({ rules }) => rules.flatMap(({ namespace }) => namespace ?? [])));
});
const whatRuns: ReadonlySet<Resource> = new Set([resources.pods, resources.deployments, resources.daemonSets]);
