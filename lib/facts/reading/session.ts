import {
  dumpHolds,
  isKubeError,
  type Kube,
  type KubeError,
  type KubeObject,
  type MissingRule,
  type ObjectMetadata,
} from '#lib/kube/index.ts';
import { apiVersionOf, type Goal, type ObjectRef, type Resource } from '#lib/spec/index.ts';
import { kindName, type Missing, missingOf, notInDump, partOfDump, type Reading } from './reading.ts';

/** Progress of reading. `objects`: how many of this kind were read so far. */
export type Progress = (event: { kind: string; objects: number; finished: boolean }) => void;

/** A fold over a streamed list: sees each object once and keeps only what it needs. */
export type Fold<T> = {
  each(object: KubeObject | ObjectMetadata): void;
  /** Called with the API that answered the list: `projectcalico.org/v3`. For dumps only if their files say so. */
  listed?(apiVersion: string): void;
  result(): T;
};

/**
 * A list of a kind, shared by all folds over it. `resources`: APIs of the same kind (Calico's v3 API and the stored form). A live cluster is read by the
 * first that answers, a dump by all of them.
 */
export type Listing = {
  readonly resources: readonly [Resource, ...Resource[]];
  readonly detail: 'full' | 'metadata';
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** A dump with an object in two forms shows both; the reader decides which counts. */
  readonly bothForms?: boolean;
  /** A dump without objects of this kind is incomplete: no cluster is without nodes. */
  readonly emptyDumpSaysNothing?: boolean;
};

/**
 * Objects on a page: enough that requests take little time, and few enough that two pages take little memory as bytes, text and objects. A node with its
 * images has 20 kB.
 */
export const pageSize = { full: 150, metadata: 300 } as const;

/** Reads for one collection of facts: each list and each object once, however many collectors need it. */
export class Session {
  readonly kube: Kube;
  readonly signal: AbortSignal | undefined;
  readonly rules: readonly MissingRule[];
  /** The goal, for facts that only one goal needs; null: unknown. */
  readonly goal: Goal | null;
  readonly #progress: Progress | undefined;
  readonly #folds = new Map<Listing, Fold<unknown>[]>();
  readonly #streams = new Map<Listing, Promise<readonly Missing[]>>();
  readonly #objects = new Map<string, Promise<Reading<KubeObject | null>>>();
  readonly #inDump = new Map<Resource, Promise<boolean>>();
  #discovery: Promise<Reading<DiscoveryReading>> | undefined;
  /** Number of answered reads, and errors of the others: if all failed, the whole reading has failed. */
  #answered = 0;
  readonly #errors: KubeError[] = [];

  constructor(
    kube: Kube,
    {
      signal,
      progress,
      rules,
      goal,
    }: {
      signal: AbortSignal | undefined;
      progress: Progress | undefined;
      rules: readonly MissingRule[];
      goal: Goal | null;
    },
  ) {
    this.kube = kube;
    this.signal = signal;
    this.rules = rules;
    this.goal = goal;
    this.#progress = progress;
  }

  get isDump(): boolean {
    return this.kube.source === 'dump';
  }

  /**
   * The error to reject with if nothing at all could be read; else null. Refusals count as answers: with an account without rights every fact is unknown,
   * each with its missing rule.
   */
  get failure(): KubeError | null {
    if (this.#answered > 0) return null;
    return this.#errors.find((error) => !isKubeError(error, 'forbidden')) ?? null;
  }

  /** Adds a fold to a listing, and returns the function that reads it. All folds must be added before the first list is read. */
  enlist<T>(listing: Listing, fold: Fold<T>): () => Promise<Reading<T>> {
    this.#folds.set(listing, [...(this.#folds.get(listing) ?? []), fold]);
    return async () => {
      const missing = await this.#stream(listing);
      return { value: fold.result(), missing };
    };
  }

  object(ref: ObjectRef): Promise<Reading<KubeObject | null>> {
    const { resource, namespace = '', name } = ref;
    return remember(
      this.#objects,
      `${resource.group}/${resource.version}/${resource.plural}/${namespace}/${name}`,
      () => this.#read(ref),
    );
  }

  /** The API groups that are served, and those whose server does not answer. */
  discovery(): Promise<Reading<DiscoveryReading>> {
    this.#discovery ??= this.#discover();
    return this.#discovery;
  }

  async #discover(): Promise<Reading<DiscoveryReading>> {
    const nothing: DiscoveryReading = { groups: [], failing: [] };
    try {
      const { resources, failing, groups } = await this.kube.discover(this.#options());
      if (this.isDump && !groups)
        return {
          value: nothing,
          missing: [{ kind: 'APIGroupList', because: 'the dump does not contain the API groups' }],
        };
      return { value: { groups: groups ?? [...new Set(resources.map(({ group }) => group))], failing }, missing: [] };
    } catch (error) {
      if (!isKubeError(error) || this.#isOver(error)) throw error;
      return { value: nothing, missing: [{ kind: 'APIGroupList', because: error.message }] };
    }
  }

  async #read(ref: ObjectRef): Promise<Reading<KubeObject | null>> {
    try {
      if (this.isDump && !(await this.#dumpHolds(ref.resource)))
        return { value: null, missing: [notInDump(ref.resource)] };
      const value = await this.kube.get(ref, this.#options());
      this.#answered++;
      if (value === null && !this.isDump) return { value, missing: await this.#failingGroup(ref.resource) };
      return { value, missing: [] };
    } catch (error) {
      if (isKubeError(error, 'not-served')) return { value: null, missing: await this.#notServed(ref.resource) };
      const { group, plural, namespaced } = ref.resource;
      const where = namespaced && ref.namespace !== undefined ? { namespace: ref.namespace } : {};
      const rule = { verb: 'get', group, resource: plural, ...where, name: ref.name };
      return { value: null, missing: [this.#missing(ref.resource, error, rule)] };
    }
  }

  #stream(listing: Listing): Promise<readonly Missing[]> {
    return remember(this.#streams, listing, () => this.#pages(listing));
  }

  async #pages(listing: Listing): Promise<readonly Missing[]> {
    const folds = this.#folds.get(listing) ?? [];
    const { resources, bothForms = false } = listing;
    const seen = this.isDump && resources.length > 1 ? new Set<string>() : null;
    const isNew = (object: KubeObject | ObjectMetadata) => {
      const form = bothForms && 'apiVersion' in object ? object.apiVersion : '';
      const key = `${form} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
      return seen !== null && seen.size < seen.add(key).size;
    };
    const missing: Missing[] = [];
    let served = false;
    let count = 0;
    for (const resource of resources) {
      let pages = 0;
      try {
        for await (const { items, apiVersion } of this.#list(resource, listing)) {
          pages++;
          const form = apiVersion ?? (this.isDump ? null : apiVersionOf(resource));
          if (form !== null) for (const fold of folds) fold.listed?.(form);
          count += showTo(folds, seen === null ? items : items.filter(isNew));
          this.#progress?.({ kind: kindName(resource), objects: count, finished: false });
        }
        this.#answered++;
        served = true;
        if (!this.isDump) break;
      } catch (error) {
        if (isKubeError(error, 'not-served')) continue;
        missing.push(this.#missing(resource, error, ruleOf(resource, listing)));
        // The other API would show the same objects again.
        if (pages > 0) return missing;
      }
    }
    this.#progress?.({ kind: kindName(resources[0]), objects: count, finished: true });
    if (served && this.isDump && listing.emptyDumpSaysNothing && count === 0) return [notInDump(resources[0])];
    if (served) return [];
    return missing.length > 0 ? missing : this.#notServed(...resources);
  }

  #list(resource: Resource, { detail, namespace, labelSelector, fieldSelector }: Listing) {
    const options = {
      ...this.#options(),
      pageSize: pageSize[detail],
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    return detail === 'full' ? this.kube.list(resource, options) : this.kube.listMetadata(resource, options);
  }

  /** The missing part for a kind that is not served. On a live cluster there are no objects then; a dump may lack them. */
  async #notServed(...resources: readonly Resource[]): Promise<readonly Missing[]> {
    if (this.isDump) return resources.slice(0, 1).map(notInDump);
    this.#answered++;
    return (await Promise.all(resources.map((resource) => this.#failingGroup(resource)))).flat();
  }

  /** The missing part for a kind whose API is registered while its server does not answer; none for any other kind. */
  async #failingGroup(resource: Resource): Promise<Missing[]> {
    if (resource.group === '' || resource.group.endsWith('.k8s.io') || resource.group === 'apps') return [];
    const { value } = await this.discovery();
    const groupVersion = `${resource.group}/${resource.version}`;
    return value.failing
      .filter((one) => one.groupVersion === groupVersion)
      .map(({ because }) => ({ kind: kindName(resource), because: `${groupVersion} is not available: ${because}` }));
  }

  #dumpHolds(resource: Resource): Promise<boolean> {
    return remember(this.#inDump, resource, () => dumpHolds(this.kube, resource, this.#options()));
  }

  #missing(resource: Resource, error: unknown, rule: MissingRule): Missing {
    if (isKubeError(error) && error.detail.lacks !== undefined) {
      this.#answered++;
      return partOfDump(resource, error.detail.lacks);
    }
    return missingOf(resource, this.#failed(error), rule);
  }

  #failed(error: unknown): KubeError {
    if (!isKubeError(error) || this.#isOver(error)) throw error;
    this.#errors.push(error);
    return error;
  }

  #isOver(error: KubeError): boolean {
    return isKubeError(error, 'aborted') || this.signal?.aborted === true;
  }

  #options(): { signal?: AbortSignal } {
    return this.signal === undefined ? {} : { signal: this.signal };
  }
}

export type DiscoveryReading = {
  readonly groups: readonly string[];
  readonly failing: readonly { groupVersion: string; because: string }[];
};

/** Shows objects to folds. A function of its own, since V8 optimises loops in async functions late, and big clusters have 20,000 pods for ten folds. */
function showTo(folds: readonly Fold<unknown>[], objects: readonly (KubeObject | ObjectMetadata)[]): number {
  for (const object of objects) for (const fold of folds) fold.each(object);
  return objects.length;
}

function ruleOf({ group, plural }: Resource, { namespace }: Listing) {
  return { verb: 'list', group, resource: plural, ...(namespace === undefined ? {} : { namespace }) };
}

function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
