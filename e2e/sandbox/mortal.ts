import type { Clock, Kube } from '#lib/kube/index.ts';

/** When a process dies: at its n-th call (from 1), before the call reaches the cluster or after it did and before the answer came. */
export type Death = { call: number; moment: 'before' | 'after' };

export type Mortal = {
  kube: Kube;
  clock: Clock;
  /** Resolves at the moment of death. */
  death: Promise<void>;
  /** What it asked for, in order: the n-th call is `calls[n - 1]`. */
  calls: { method: string; effect: 'reads' | 'writes' | 'tells' }[];
};

const writing = ['create', 'apply', 'replace', 'patch', 'delete'];

/** The cluster and the time of a process that is killed with SIGKILL: from then on nothing of it happens any more, not even an error. */
export function mortal(kube: Kube, clock: Clock, at: Death | null): Mortal {
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const calls: Mortal['calls'] = [];
  let dead = false;
  const dies = () => {
    dead = true;
    die();
    return forever<never>();
  };

  async function guarded<T>(
    method: string,
    options: { dryRun?: string } | undefined,
    call: () => Promise<T>,
  ): Promise<T> {
    if (dead) return forever();
    const number = calls.push({ method, effect: effectOf(method, options) });
    const last = number === at?.call;
    if (last && at.moment === 'before') return dies();
    const [answer] = await Promise.allSettled([call()]);
    if (last) return dies();
    if (dead) return forever();
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  }
  async function* guardedPages<T>(method: string, pages: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = pages[Symbol.asyncIterator]();
    // The last page says that it is the last: what comes after it is no call.
    const first = await guarded(method, undefined, () => iterator.next());
    if (first.done) return;
    yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }

  return {
    death,
    calls,
    clock: { ...clock, sleep: (ms, signal) => (dead ? forever() : clock.sleep(ms, signal)) },
    kube: {
      name: kube.name,
      source: kube.source,
      get: (ref, o) => guarded(`get ${ref.resource.kind}/${ref.name}`, o, () => kube.get(ref, o)),
      list: (resource, o) => guardedPages(`list ${resource.plural}`, kube.list(resource, o)),
      listMetadata: (resource, o) => guardedPages(`list ${resource.plural}`, kube.listMetadata(resource, o)),
      watch: (resource, o) => kube.watch(resource, o),
      create: (resource, object, o) => guarded(`create ${resource.plural}`, o, () => kube.create(resource, object, o)),
      apply: (resource, object, o) => guarded(`apply ${resource.plural}`, o, () => kube.apply(resource, object, o)),
      replace: (resource, object, o) =>
        guarded(`replace ${resource.plural}`, o, () => kube.replace(resource, object, o)),
      patch: (ref, patch, o) => guarded(`patch ${ref.resource.kind}/${ref.name}`, o, () => kube.patch(ref, patch, o)),
      delete: (ref, o) => guarded(`delete ${ref.resource.kind}/${ref.name}`, o, () => kube.delete(ref, o)),
      allowed: (rules, o) => guarded('allowed', undefined, () => kube.allowed(rules, o)),
      discover: (o) => guarded('discover', undefined, () => kube.discover(o)),
      version: (o) => guarded('version', undefined, () => kube.version(o)),
      logs: (pod, o) => guarded('logs', undefined, () => kube.logs(pod, o)),
      podGet: (pod, o) => guarded('podGet', undefined, () => kube.podGet(pod, o)),
      exec: (pod, command, o) => guarded('exec', undefined, () => kube.exec(pod, command, o)),
      close: () => kube.close(),
    },
  };
}

/** Events only tell what happened: a death there is one like any other. */
function effectOf(method: string, options: { dryRun?: string } | undefined): 'reads' | 'writes' | 'tells' {
  if (method === 'create events') return 'tells';
  return options?.dryRun === undefined && writing.includes(method.split(' ')[0] ?? '') ? 'writes' : 'reads';
}

function forever<T>(): Promise<T> {
  return new Promise(() => undefined);
}
