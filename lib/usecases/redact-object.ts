import { isRecord } from '#lib/base/records.ts';
import { readKinds } from '#lib/facts/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import { mask, maskedData } from '#lib/text/index.ts';

/**
 * An object as `signalbox dump` writes it. Of the objects by which other tools are told what to write it holds only what pauses them: their specs hold
 * whole manifests, values of charts and Secrets.
 */
export function written(object: KubeObject, detail: 'whole' | 'redacted'): KubeObject {
  const one = sourceKinds.has(kindOf(object)) ? onlyPauses(object) : object;
  return detail === 'redacted' ? redacted(one) : one;
}

const kindOf = ({ apiVersion, kind }: KubeObject) => `${apiVersion.split('/')[0]} ${kind}`;
const sourceKinds: ReadonlySet<string> = new Set(
  [resources.argoApplications, resources.fluxKustomizations, resources.fluxHelmReleases, resources.fleetBundles].map(
    ({ group, kind }) => `${group} ${kind}`,
  ),
);

/** What facts/cluster/reconciler-sources.ts reads. */
function onlyPauses(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = withoutCopies(object);
  const spec = isRecord(object.spec) ? object.spec : {};
  const read = ['suspend', 'paused', 'syncPolicy', 'ignoreDifferences']
    .filter((name) => name in spec)
    .map((name) => [name, spec[name]]);
  return { apiVersion, kind, metadata, spec: Object.fromEntries(read) };
}

/**
 * An object as `signalbox dump --redact` writes it. Masked: values of environment variables but those of Kubernetes' and Calico's own namespaces,
 * ConfigMaps that no fact is read from, copies of objects in annotations, and what looks like a credential anywhere. Names, labels, images, arguments
 * and addresses stay: findings are about them.
 */
function redacted(object: KubeObject): KubeObject {
  const plain = maskedData(withoutNeedless(withoutCopies(object)));
  // A record stays one: only what is in it is masked.
  return plain as KubeObject;
}

/** That a copy is there tells who applied the object, and stays. */
function withoutCopies(object: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (!annotations) return object;
  const shown = Object.entries(annotations).map(([name, value]) => [name, isCopy(name, value) ? masked : value]);
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(shown) } };
}

/** kubectl, kapp and Kopf keep the whole object, or what they wrote of it, as JSON. */
function isCopy(name: string, value: string): boolean {
  if (packedCopies.has(name)) return true;
  if (readAsJson.has(name) || !value.trimStart().startsWith('{')) return false;
  try {
    return isRecord(JSON.parse(value));
  } catch {
    return false;
  }
}
/** Wrangler's and Banzai Cloud's, compressed, and kubectl's, whatever is in it. */
const packedCopies: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
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
/** Namespaces in which what runs is read by its name. Other objects are read by theirs in namespaces of everybody, such as `default`. */
const systemNamespaces = once(() => {
  const running = readKinds().filter(({ resources: [first] }) => first && whatRuns.has(first));
  return new Set(running.flatMap(({ rules }) => rules.flatMap(({ namespace }) => namespace ?? [])));
});
const whatRuns: ReadonlySet<Resource> = new Set([resources.pods, resources.deployments, resources.daemonSets]);
