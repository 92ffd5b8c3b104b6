import { orAborted } from '#lib/base/async/or-aborted.ts';
import type { KnownNames } from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';

/** How long an answer is used again. An answer is six requests through a port-forward, and a user who types would cause one after the other. */
const keptMs = 60_000;
/** So long an aggregator that could not be asked is not asked again: every pause in typing would ask it, and fail. */
const failureKeptMs = 10_000;

type Asking = {
  readonly names: Promise<KnownNames>;
  readonly stop: AbortController;
  waiting: number;
  /** Milliseconds, by `now`: from when on it is asked again; null: not answered yet. */
  oldAt: number | null;
};

/** The names that a cluster's aggregator knows. Rejects as `ask` does, and with the signal's reason once it is aborted. */
export type KeptNames = (kube: Kube, signal: AbortSignal) => Promise<KnownNames>;

/**
 * Asks an aggregator once for all callers that wait at the same time, and not again for a minute. A caller whose signal is aborted waits no longer; when
 * none waits any more, the request is aborted too. A failure is kept for ten seconds, as the same error. Answers belong to one connection: the next
 * connection under the same name may reach another cluster.
 */
export function keptNames(
  ask: (kube: Kube, signal: AbortSignal) => Promise<KnownNames>,
  now: () => number = () => performance.now(),
): KeptNames {
  const known = new WeakMap<Kube, Asking>();
  const begin = (kube: Kube): Asking => {
    const stop = new AbortController();
    const asking: Asking = { names: ask(kube, stop.signal), stop, waiting: 0, oldAt: null };
    const keep = (ms: number) => {
      asking.oldAt = now() + ms;
    };
    asking.names.then(
      () => keep(keptMs),
      () => keep(failureKeptMs),
    );
    known.set(kube, asking);
    return asking;
  };
  const forget = (kube: Kube, asking: Asking) => {
    if (known.get(kube) === asking) known.delete(kube);
  };
  const isOld = ({ oldAt }: Asking) => oldAt !== null && now() >= oldAt;

  return async (kube, signal) => {
    signal.throwIfAborted();
    const found = known.get(kube);
    const asking = found === undefined || isOld(found) ? begin(kube) : found;
    asking.waiting++;
    try {
      return await orAborted(asking.names, signal);
    } finally {
      asking.waiting--;
      if (asking.waiting === 0 && asking.oldAt === null) {
        forget(kube, asking);
        asking.stop.abort();
      }
    }
  };
}
