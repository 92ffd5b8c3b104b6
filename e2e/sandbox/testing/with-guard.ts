import type { CallOptions, Kube } from '#lib/kube/index.ts';

/** The effect of a call. `tells`: writes an Event, which changes nothing else. */
export type Effect = 'reads' | 'writes' | 'tells';

/** Wraps every call of one process. `method` is for people: `patch Lease/signalbox`. */
export type Guard = <T>(method: string, effect: Effect, call: () => Promise<T>) => Promise<T>;

const writing = ['create', 'apply', 'replace', 'patch', 'delete'];

/** The cluster for one process, with every call wrapped by `guard`. */
export function withGuard(kube: Kube, guard: Guard): Kube {
  const guarded = <T>(
    method: string,
    options: (CallOptions & { dryRun?: 'all' }) | undefined,
    call: () => Promise<T>,
  ) => guard(method, effectOf(method, options), call);

  async function* pages<T>(method: string, list: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = list[Symbol.asyncIterator]();
    // The last page is known to be the last, so no further call follows it.
    const first = await guarded(method, undefined, () => iterator.next());
    if (first.done) return;
    yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }

  const { helm } = kube;
  return {
    name: kube.name,
    source: kube.source,
    get: (ref, o) => guarded(`get ${ref.resource.kind}/${ref.name}`, o, () => kube.get(ref, o)),
    list: (resource, o) => pages(`list ${resource.plural}`, kube.list(resource, o)),
    listMetadata: (resource, o) => pages(`list ${resource.plural}`, kube.listMetadata(resource, o)),
    watch: (resource, o) => kube.watch(resource, o),
    create: (resource, object, o) => guarded(`create ${resource.plural}`, o, () => kube.create(resource, object, o)),
    apply: (resource, object, o) => guarded(`apply ${resource.plural}`, o, () => kube.apply(resource, object, o)),
    replace: (resource, object, o) => guarded(`replace ${resource.plural}`, o, () => kube.replace(resource, object, o)),
    patch: (ref, patch, o) => guarded(`patch ${ref.resource.kind}/${ref.name}`, o, () => kube.patch(ref, patch, o)),
    delete: (ref, o) => guarded(`delete ${ref.resource.kind}/${ref.name}`, o, () => kube.delete(ref, o)),
    allowed: (rules, o) => guarded('allowed', o, () => kube.allowed(rules, o)),
    discover: (o) => guarded('discover', o, () => kube.discover(o)),
    version: (o) => guarded('version', o, () => kube.version(o)),
    logs: (pod, o) => guarded('logs', o, () => kube.logs(pod, o)),
    podGet: (pod, o) => guarded('podGet', o, () => kube.podGet(pod, o)),
    exec: (pod, command, o) => guarded('exec', o, () => kube.exec(pod, command, o)),
    // Helm is a separate program, which continues to its end even if the process dies.
    ...(helm && { helm: (words) => guard(`helm ${words[0]}`, effectOfHelm(words), () => helm(words)) }),
    close: () => kube.close(),
  };
}

function effectOfHelm(words: readonly string[]): Effect {
  return words.some((word) => word.startsWith('--dry-run')) ? 'reads' : 'writes';
}

function effectOf(method: string, options: { dryRun?: 'all' } | undefined): Effect {
  if (method === 'create events') return 'tells';
  return options?.dryRun === undefined && writing.includes(method.split(' ')[0] ?? '') ? 'writes' : 'reads';
}
