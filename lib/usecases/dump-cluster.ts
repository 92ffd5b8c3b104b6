import { inParallel } from '#lib/base/async/in-parallel.ts';
import { type ReadKind, readKinds } from '#lib/facts/index.ts';
import {
  type CallOptions,
  type DumpRecord,
  type DumpWriter,
  isKubeError,
  type Kube,
  KubeError,
  type KubeObject,
  type ListWriter,
  type MissingRule,
  openDumpWriter,
  type RecordedKind,
} from '#lib/kube/index.ts';
import { apiVersionOf, type Resource, resources } from '#lib/spec/index.ts';
import { writtenObject } from './redact-object.ts';

export type DumpOptions = {
  kube: Kube;
  /** A folder, or a file that ends in `.tgz`. */
  path: string;
  /** `redacted`: without values that no check reads (redact-object.ts). */
  detail: 'whole' | 'redacted';
  signalboxVersion: string;
  now: string;
  signal: AbortSignal;
};

/** Kinds that are read at the same time. */
const atOnce = 4;
const pageSize = 150;

const always: DumpRecord['leftOut'] = [
  {
    what: 'Secrets, and ConfigMaps in which Helm keeps its releases',
    because: 'no dump holds any; what Helm keeps in them (the values of a release) is not verified',
  },
  { what: 'your permissions', because: 'they differ for each user' },
  {
    what: 'what GitOps tools are told to write',
    because: 'of their objects only what pauses them is read; manifests and values in them may hold Secrets',
  },
  {
    what: 'other kinds',
    because: 'no check reads them, except for owner references before an upgrade from below v3.28',
  },
];
const whenRedacted: DumpRecord['leftOut'] = [
  {
    what: 'values',
    because:
      'environment variables outside of the system namespaces, ConfigMaps that no check reads, copies of objects in annotations, and whatever looks like a credential are masked; names, labels and addresses stay',
  },
];

/**
 * Writes all that facts are read from as a dump for `--from`. Reads only, and only from a cluster: a dump of a dump would carry a record that knows
 * less than the first. For a kind that may not be read, or whose list breaks off, the reason is recorded and its objects are read by name as far as
 * rights allow. Rejects with a KubeError, and writes nothing, if the cluster cannot be reached, nothing may be read or `signal` aborts; with an
 * InputError if the place is taken.
 */
export async function dumpCluster(options: DumpOptions): Promise<DumpRecord> {
  const { kube, path, detail, signal } = options;
  const writer = await openDumpWriter(path);
  try {
    const kinds = readKinds().filter(({ resources: [first] }) => first !== resources.secrets);
    const kubernetesVersion = await unlessRefused(kube.version({ signal }));
    const apis = await apisOf(options);
    const read = await inParallel(kinds, atOnce, (kind) => dumpKind(kind, apis, writer, options));
    const firstError = read.find(({ error }) => error)?.error;
    if (firstError && read.every(({ recorded }) => recorded.state === 'refused')) throw firstError;
    const recorded = read.map((one) => one.recorded);
    const record: DumpRecord = {
      apiVersion: 'signalbox.dev/v1',
      kind: 'Dump',
      metadata: { name: detail === 'redacted' ? 'redacted' : kube.name, creationTimestamp: options.now },
      signalboxVersion: options.signalboxVersion,
      kubernetesVersion,
      server: kube.server ?? null,
      apis,
      redacted: detail === 'redacted',
      complete: recorded.every(({ state }) => state === 'complete' || state === 'not-served'),
      kinds: recorded,
      leftOut: [...always, ...(detail === 'redacted' ? whenRedacted : [])],
    };
    if (signal.aborted) throw new KubeError('aborted', 'Writing the dump was interrupted.', {}, signal.reason);
    await writer.finish(record);
    return record;
  } finally {
    await writer.discard();
  }
}

/** With HELM_DRIVER=configmap a ConfigMap holds the values of a release, passwords included. */
const isHelmRecord = ({ kind, metadata: { name = '' } }: KubeObject) =>
  kind === 'ConfigMap' && name.startsWith('sh.helm.release.');

/** Null if rights are missing. An aggregated API that does not answer still counts as there. */
async function apisOf({ kube, signal }: DumpOptions): Promise<DumpRecord['apis']> {
  const discovered = await unlessRefused(kube.discover({ signal }));
  if (discovered === null) return null;
  const { resources: served, failing, groups } = discovered;
  const away = failing.map(({ groupVersion }) => groupVersion.replace(/\/.*/, ''));
  return { groups: [...new Set(['', ...(groups ?? served.map(({ group }) => group)), ...away])], failing };
}

/** Null if the cluster refuses this one question or fails to answer it: the dump is made without it. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (!isKubeError(error) || endsAll(error)) throw error;
    return null;
  }
}

type DumpedKind = { readonly recorded: RecordedKind; readonly error: KubeError | null };

async function dumpKind(
  { resources: names, rules }: ReadKind,
  apis: DumpRecord['apis'],
  writer: DumpWriter,
  options: DumpOptions,
): Promise<DumpedKind> {
  let failed: { resource: Resource; error: KubeError } | null = null;
  for (const resource of names) {
    const found = await dumpList(resource, rules, writer, options);
    if (found !== null && found.recorded.state !== 'refused') return found;
    if (found?.error) failed ??= { resource, error: found.error };
  }
  if (failed) return refused(failed.resource, failed.error);
  // A kind whose API is away may have objects; nobody can list them now.
  for (const { groupVersion, because } of apis?.failing ?? []) {
    const away = names.find((one) => apiVersionOf(one) === groupVersion);
    if (away) return refused(away, new KubeError('not-served', `${groupVersion} is not available: ${because}`));
  }
  const list = await writer.list(names[0]);
  return { recorded: { ...named(names[0]), ...(await list.end('all')), state: 'not-served' }, error: null };
}

/** Null: the kind is not served under this name. */
async function dumpList(
  resource: Resource,
  rules: readonly MissingRule[],
  writer: DumpWriter,
  { kube, detail, signal }: DumpOptions,
): Promise<DumpedKind | null> {
  const call: CallOptions = { signal };
  let list: ListWriter | null = null;
  const add = async (objects: readonly KubeObject[]) => {
    list ??= await writer.list(resource);
    await list.add(objects.filter((object) => !isHelmRecord(object)).map((object) => writtenObject(object, detail)));
  };
  try {
    for await (const { items } of kube.list(resource, { ...call, pageSize })) await add(items);
    await add([]);
    return { recorded: await ended(list, resource, 'complete'), error: null };
  } catch (error) {
    if (!isKubeError(error) || endsAll(error)) throw error;
    // An API that goes away between two pages leaves half a list; that is not the same as a kind that is not served.
    if (list === null && isKubeError(error, 'not-served')) return null;
    const { namespaces, absent } = isKubeError(error, 'forbidden')
      ? await dumpAllowed(resource, rules, kube, call, add)
      : { namespaces: [], absent: [] };
    if (list === null && absent.length === 0 && namespaces.length === 0) return refused(resource, error);
    await add([]);
    const { rule } = error.detail;
    const why = {
      because: error.message,
      ...(rule ? { rule } : {}),
      ...(absent.length > 0 ? { absent } : {}),
      ...(namespaces.length > 0 ? { namespaces } : {}),
    };
    return { recorded: { ...(await ended(list, resource, 'partial')), ...why }, error };
  }
}

/**
 * Reads what rights allow without the whole list: whole namespaces where facts are read from lists, and single objects by name elsewhere. Returns the
 * namespaces that were read whole and the objects that are not there.
 */
async function dumpAllowed(
  resource: Resource,
  rules: readonly MissingRule[],
  kube: Kube,
  call: CallOptions,
  add: (objects: readonly KubeObject[]) => Promise<void>,
): Promise<{ namespaces: string[]; absent: string[] }> {
  const own = rules.filter(({ group }) => group === resource.group);
  const listed = new Set(own.flatMap(({ verb, namespace = [] }) => (verb === 'list' ? namespace : [])));
  const namespaces: string[] = [];
  for (const namespace of listed) {
    const objects: KubeObject[] = [];
    const listing = unlessRefused(
      (async () => {
        for await (const { items } of kube.list(resource, { ...call, namespace, pageSize })) objects.push(...items);
        return namespace;
      })(),
    );
    // Half a namespace is as good as none, and its objects would be in the dump twice once they are read by name.
    if ((await listing) === null) continue;
    await add(objects);
    namespaces.push(namespace);
  }
  const absent: string[] = [];
  for (const { verb, namespace, name } of own) {
    if (verb !== 'get' || name === undefined || (namespace !== undefined && namespaces.includes(namespace))) continue;
    const where = namespace === undefined ? {} : { namespace };
    try {
      const object = await kube.get({ resource, ...where, name }, call);
      if (object) await add([object]);
      else absent.push(namespace === undefined ? name : `${namespace}/${name}`);
    } catch (error) {
      if (!isKubeError(error) || endsAll(error)) throw error;
    }
  }
  return { namespaces, absent };
}

/** True for errors that every other kind would meet too. */
function endsAll(error: KubeError): boolean {
  return isKubeError(error, 'aborted', 'unreachable', 'unauthorized', 'credentials', 'tls');
}

async function ended(
  list: ListWriter | null,
  resource: Resource,
  state: 'complete' | 'partial',
): Promise<RecordedKind> {
  const written = (await list?.end(state === 'complete' ? 'all' : 'cut')) ?? { file: null, objects: 0 };
  return { ...named(resource), ...written, state };
}

function refused(resource: Resource, error: KubeError): DumpedKind {
  const { rule } = error.detail;
  const why = { because: error.message, ...(rule ? { rule } : {}) };
  return { recorded: { ...named(resource), file: null, objects: 0, state: 'refused', ...why }, error };
}

function named(resource: Resource): Pick<RecordedKind, 'apiVersion' | 'kind' | 'resource'> {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, resource: resource.plural };
}
