import { isRecord, valueAt } from '#lib/base/records.ts';
import { writersOf } from '#lib/facts/index.ts';
import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { dataplanePath, names, type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import { isNotInstalled } from './not-installed.ts';

/**
 * A field that decides what serves Services, and who set it, by the object's managedFields. They keep no earlier value, and of each writer only when it last
 * changed anything of the object: the field was set `by` then, or before. `by` is empty, and `at` null, where they do not say. An object that does not exist
 * has no field: nothing keeps who deleted it.
 */
export type LastChange = {
  object: string;
  field: string | null;
  value: string | null;
  at: string | null;
  by: string[];
};

/** `unknown`: sentences about what could not be read. */
export type LastChanges = { changes: LastChange[]; unknown: string[] };

type Deciding = { refs: readonly ObjectRef[]; path: readonly string[]; isNews: 'if-absent' | 'if-present' };

const deciding: readonly Deciding[] = [
  {
    refs: [{ resource: resources.installations, name: names.installation }],
    path: dataplanePath,
    isNews: 'if-present',
  },
  {
    // One object, by two APIs.
    refs: [resources.felixConfigurations, resources.felixConfigurationsV3].map((resource) => ({
      resource,
      name: names.felixConfiguration,
    })),
    path: ['spec', 'bpfEnabled'],
    isNews: 'if-present',
  },
  {
    refs: [{ resource: resources.daemonSets, namespace: names.systemNamespace, name: names.kubeProxyDaemonSet }],
    path: ['spec', 'template', 'spec', 'nodeSelector'],
    isNews: 'if-absent',
  },
];

/** Reads what decides about Services on a cluster, newest change first. Rejects only if the API server does not answer. */
export async function readLastChanges(kube: Kube, signal: AbortSignal): Promise<LastChanges> {
  const unknown: string[] = [];
  const found = await Promise.all(
    deciding.map(async (one) => {
      const object = await firstOf(kube, one.refs, signal);
      if (typeof object === 'string') unknown.push(object);
      return typeof object === 'string' ? [] : changesOf(object, one);
    }),
  );
  return { changes: found.flat().toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? '')), unknown };
}

/** The object by the first reference that answers; null: there is none; a sentence: it may not be read. */
async function firstOf(
  kube: Kube,
  refs: readonly ObjectRef[],
  signal: AbortSignal,
): Promise<KubeObject | null | string> {
  let refusal: string | null = null;
  for (const ref of refs) {
    try {
      const object = await kube.get(ref, { signal });
      if (object !== null) return object;
    } catch (error) {
      if (!isKubeError(error, 'forbidden', 'not-served')) throw error;
      if (!isNotInstalled(error)) refusal ??= error.message;
    }
  }
  return refusal;
}

function changesOf(object: KubeObject | null, { refs: [ref], path, isNews }: Deciding): LastChange[] {
  if (ref === undefined) return [];
  const id = objectId(ref);
  if (object === null)
    return isNews === 'if-present' ? [] : [{ object: id, field: null, value: null, at: null, by: [] }];
  const value = valueAt(object, path);
  if (value === undefined || value === null) return [];
  const writers = writersOf(object, path).filter(({ time }) => !Number.isNaN(time));
  const at =
    writers
      .map((one) => one.at)
      .toSorted()
      .at(-1) ?? null;
  const by = [...new Set(writers.map(({ manager }) => manager).filter((manager) => manager !== ''))];
  return [{ object: id, field: path.at(-1) ?? null, value: textOf(value), at, by }];
}

/** `Iptables`, `true`, `kubernetes.io/os=linux, non-calico=true`. */
function textOf(value: unknown): string {
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([key, one]) => `${key}=${String(one)}`)
    .join(', ');
}
