import { isRecord } from '#lib/base/records.ts';
import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import type { KubeObject } from '../object.ts';

/** A served kind. One entry per group and plural; `resource.version` is the version that discovery prefers. */
export type Kind = {
  readonly resource: Resource;
  readonly versions: readonly string[];
  readonly subresources: readonly ('status' | 'scale')[];
  /** `given`: named in the options of `createStore`, without a schema. */
  readonly origin: 'builtin' | 'definition' | 'given';
  /** The CustomResourceDefinition behind it. */
  readonly definition?: KubeObject;
};

/** `GROUP/PLURAL`, the key of a kind in the registry; the core group is empty. Versions of a kind share it. */
export const kindKeyOf = (resource: Pick<Resource, 'group' | 'plural'>): string =>
  `${resource.group}/${resource.plural}`;

/** The kinds that a store serves: built-in ones, those of CustomResourceDefinitions, and those it was given. */
export class KindRegistry {
  readonly #byKey = new Map<string, Kind>();
  readonly #byKind = new Map<string, Kind>();

  /** The kind of a resource, if this version of it is served. */
  find(resource: Resource): Kind | undefined {
    const kind = this.#byKey.get(kindKeyOf(resource));
    return kind?.versions.includes(resource.version) ? kind : undefined;
  }

  /** The kind by group and kind, as objects have them: `apps` and `DaemonSet`. */
  findKind(group: string, kind: string): Kind | undefined {
    return this.#byKind.get(`${group}/${kind}`);
  }

  set(kind: Kind): void {
    this.#byKey.set(kindKeyOf(kind.resource), kind);
    this.#byKind.set(`${kind.resource.group}/${kind.resource.kind}`, kind);
  }

  remove(kind: Kind): void {
    this.#byKey.delete(kindKeyOf(kind.resource));
    this.#byKind.delete(`${kind.resource.group}/${kind.resource.kind}`);
  }

  all(): Kind[] {
    return [...this.#byKey.values()];
  }
}

/** The kind of a resource that `createStore` was given: served in this version alone, with a status subresource and without a schema. */
export function givenKind(resource: Resource): Kind {
  return { resource, versions: [resource.version], subresources: ['status'], origin: 'given' };
}

/** The kind that a CustomResourceDefinition defines; null if a name is missing or the object's name is not `PLURAL.GROUP`, as the API demands. */
export function kindOfDefinition(definition: KubeObject): Kind | null {
  const spec = definition.spec;
  if (!isRecord(spec) || !isRecord(spec.names) || !Array.isArray(spec.versions)) return null;
  const { group, scope, names } = spec;
  if (typeof group !== 'string' || typeof names.kind !== 'string' || typeof names.plural !== 'string') return null;
  if (definition.metadata.name !== `${names.plural}.${group}`) return null;
  const served = spec.versions.filter((version) => isRecord(version) && version.served !== false).filter(isRecord);
  const storage = served.find((version) => version.storage === true) ?? served[0];
  if (!storage || typeof storage.name !== 'string') return null;
  const subresources = isRecord(storage.subresources) ? storage.subresources : {};
  return {
    resource: {
      group,
      version: storage.name,
      kind: names.kind,
      plural: names.plural,
      namespaced: scope === 'Namespaced',
    },
    versions: served.map((version) => String(version.name)),
    subresources: (['status', 'scale'] as const).filter((name) => isRecord(subresources[name])),
    origin: 'definition',
    definition,
  };
}

/** Writes the status that the server's controllers write once a definition is served. In place. */
export function establish(definition: KubeObject, at: string): void {
  const spec = isRecord(definition.spec) ? definition.spec : {};
  const versions = Array.isArray(spec.versions) ? spec.versions.filter(isRecord) : [];
  const condition = (type: string, reason: string, message: string) => ({
    lastTransitionTime: at,
    message,
    reason,
    status: 'True',
    type,
  });
  definition.status = {
    acceptedNames: spec.names,
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    storedVersions: versions.filter(({ storage }) => storage === true).map(({ name }) => name),
  };
}

/** For messages: `daemonsets.apps "calico-node"`. */
export function nameForPeople(resource: Resource, name: string): string {
  return `${resource.plural}${resource.group === '' ? '' : `.${resource.group}`} "${name}"`;
}

/** For messages: `DaemonSet (apps/v1)`. */
export function kindForPeople(resource: Resource): string {
  return `${resource.kind} (${apiVersionOf(resource)})`;
}
