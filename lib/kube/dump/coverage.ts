import { apiVersionOf, parseApiVersion, type Resource, resources } from '#lib/spec/index.ts';
import { KubeError } from '../error.ts';
import type { ObjectRef } from '../port.ts';
import { builtinKinds } from '../store/schema/builtin-definitions.ts';
import { type DumpContents, kindKey, type RunOfKind, runsOfKinds, twinGroups } from './dump-contents.ts';
import type { RecordedKind } from './dump-record.ts';
import { partsOfLists } from './parts-of-lists.ts';

/** Which objects a dump holds, and what can be said about those that it does not hold. */
export type Coverage = {
  /** Resources of the objects, by kind. */
  readonly held: ReadonlyMap<string, readonly Resource[]>;
  /** The resource, then the same kind in Calico's other group, in the versions that the dump has. */
  present(resource: Resource): readonly Resource[];
  /** Whether the dump has lists of the kind, empty or not, also under Calico's other group. */
  covered(resource: Resource): boolean;
  /** Whether a file lists the kind in this API, empty or not. */
  isListed(resource: Resource): boolean;
  /** Whether `signalbox dump` asked for this object and there was none. */
  isAbsent(ref: ObjectRef): boolean;
  /** Why the dump has no list of a kind. */
  whyNone(resource: Resource): KubeError;
  /** Why the dump may lack objects of a kind (in a namespace); null: it has all. */
  whyNotAll(resource: Resource, namespace: string | undefined): KubeError | null;
};

/** Decides from all documents of a dump. */
export function coverageOf(contents: DumpContents): Coverage {
  const runs = runsOfKinds(contents.objects);
  const held = kindsOf(runs);
  const builtin = new Set(builtinKinds().map(({ resource }) => resource.plural));
  const builtinGroups = new Set(builtinKinds().map(({ resource }) => `${resource.plural}.${resource.group}`));

  /** Whether the dump lists the API groups, and neither this group nor Calico's other one is among them. */
  const isNotServed = ({ group }: Resource): boolean =>
    contents.groups !== null &&
    ![group, twinGroups.get(group)].some((one) => one !== undefined && contents.groups?.has(one));
  const covered = (resource: Resource): boolean => {
    if (contents.kinds.has(kindKey(apiVersionOf(resource), resource.kind))) return true;
    const full = `${resource.plural}.${resource.group}`;
    if (contents.emptyLists.has(full) || isNotServed(resource)) return true;
    // `networkpolicies.yaml` means Kubernetes' policies, as in `kubectl get networkpolicies`.
    return (
      contents.emptyLists.has(resource.plural) &&
      (!builtin.has(resource.plural) || builtinGroups.has(full) || resource.group === '')
    );
  };
  const recorded = new Map(
    contents.records.flatMap(({ kinds }) => kinds.map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind] as const)),
  );
  const recordedOf = (resource: Resource) => recorded.get(`${apiVersionOf(resource)}/${resource.kind}`);
  const parts = partsOfLists(contents, runs);
  const whyNotAll = (resource: Resource, namespace: string | undefined): KubeError | null => {
    const recorded = recordedOf(resource);
    if (namespace !== undefined && recorded?.namespaces?.includes(namespace)) return null;
    const refused = refusal(recorded);
    if (refused) return refused;
    const key = kindKey(apiVersionOf(resource), resource.kind);
    if (contents.cut.has(key)) return incomplete(resource, 'beyond the first page of their list');
    const part = parts.get(key);
    if (!part || (namespace !== undefined && part.namespaces.has(namespace))) return null;
    return incomplete(resource, part.lacks);
  };
  const isListed = (resource: Resource) => {
    const form = `${apiVersionOf(resource)}/${resource.kind}` as const;
    return (
      contents.listForms.has(form) ||
      contents.emptyLists.has(`${resource.plural}.${resource.group}`) ||
      recorded.get(form)?.state === 'complete'
    );
  };
  const isAbsent = ({ resource, namespace, name }: ObjectRef) =>
    recordedOf(resource)?.absent?.includes(namespace === undefined ? name : `${namespace}/${name}`) === true;
  const present = (resource: Resource): Resource[] => {
    const found = held.get(kindKey(apiVersionOf(resource), resource.kind)) ?? [];
    return found.toSorted((a, b) => Number(b.group === resource.group) - Number(a.group === resource.group));
  };
  const whyNone = (resource: Resource) =>
    refusal(recordedOf(resource)) ??
    new KubeError('not-served', `The dump holds no ${kindForPeople(resource)}.`, { status: 404 });
  return { held, present, covered, isListed, isAbsent, whyNone, whyNotAll };
}

/** Resources of the objects, by kind; both forms of a Calico kind have one key. */
function kindsOf(runs: readonly RunOfKind[]): Map<string, Resource[]> {
  const known = [...Object.values(resources), ...builtinKinds().map(({ resource }) => resource)];
  const found = new Map<string, Resource[]>();
  const seen = new Set<string>();
  for (const { first } of runs) {
    const { apiVersion, kind, metadata } = first;
    const { group, version } = parseApiVersion(apiVersion);
    if (seen.has(`${group}/${kind}`)) continue;
    seen.add(`${group}/${kind}`);
    const resource = known.find((candidate) => candidate.group === group && candidate.kind === kind) ?? {
      group,
      version,
      kind,
      plural: `${kind.toLowerCase()}s`,
      namespaced: typeof metadata.namespace === 'string',
    };
    const key = kindKey(apiVersion, kind);
    found.set(key, [...(found.get(key) ?? []), resource]);
  }
  return found;
}

/** Why `signalbox dump` did not read all objects of a kind; null: it did, or nothing is recorded. */
function refusal(kind: RecordedKind | undefined): KubeError | null {
  if (kind?.state !== 'refused' && kind?.state !== 'partial') return null;
  const { because = `Not every ${kind.kind} could be read for the dump.`, rule } = kind;
  return rule ? new KubeError('forbidden', because, { status: 403, rule }) : new KubeError('server', because);
}

function incomplete(resource: Resource, lacks: string): KubeError {
  return new KubeError('protocol', `The dump holds no ${kindForPeople(resource)} ${lacks}.`, { lacks });
}

function kindForPeople(resource: Resource): string {
  return `${resource.kind} (${apiVersionOf(resource)})`;
}
