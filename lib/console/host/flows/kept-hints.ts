import { orAborted } from '#lib/base/async/or-aborted.ts';

/** A source that could not be asked is not asked again for so long: every pause in typing would ask it, and fail. */
const failureKeptMs = 10_000;
/** Answers of one source at a time: somebody who types a time asks for each that it means meanwhile. */
const mostAnswers = 8;

type Asking<T> = {
  readonly answer: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
  /** Milliseconds, by `now`: from when on it is asked again; null: not answered yet. */
  oldAt: number | null;
};

/** What a source answers to a question. Rejects as `ask` does, and with the signal's reason once it is aborted. */
export type KeptHints<Source extends object, T> = (source: Source, question: string, signal: AbortSignal) => Promise<T>;

/**
 * Asks a source once for all callers that wait for the same at the same time, and not again for `keptMs`. A caller whose signal is aborted waits no
 * longer; when none waits any more, the request is aborted too. A failure is kept for ten seconds, as the same error. Answers belong to the source, by
 * identity: the next connection under the same name may reach another cluster.
 */
export function keptHints<Source extends object, T>(
  ask: (source: Source, question: string, signal: AbortSignal) => Promise<T>,
  keptMs: number,
  now: () => number = () => performance.now(),
): KeptHints<Source, T> {
  const known = new WeakMap<Source, Map<string, Asking<T>>>();
  const begin = (source: Source, question: string): Asking<T> => {
    const stop = new AbortController();
    const asking: Asking<T> = { answer: ask(source, question, stop.signal), stop, waiting: 0, oldAt: null };
    const keep = (ms: number) => {
      asking.oldAt = now() + ms;
    };
    asking.answer.then(
      () => keep(keptMs),
      () => keep(failureKeptMs),
    );
    const all = known.get(source) ?? new Map<string, Asking<T>>();
    known.set(source, all);
    all.delete(question);
    all.set(question, asking);
    const [oldest] = all.keys();
    if (all.size > mostAnswers && oldest !== undefined) all.delete(oldest);
    return asking;
  };
  const forget = (source: Source, question: string, asking: Asking<T>) => {
    const all = known.get(source);
    if (all?.get(question) === asking) all.delete(question);
  };
  const isOld = ({ oldAt }: Asking<T>) => oldAt !== null && now() >= oldAt;

  return async (source, question, signal) => {
    signal.throwIfAborted();
    const found = known.get(source)?.get(question);
    const asking = found === undefined || isOld(found) ? begin(source, question) : found;
    asking.waiting++;
    try {
      return await orAborted(asking.answer, signal);
    } finally {
      asking.waiting--;
      if (asking.waiting === 0 && asking.oldAt === null) {
        forget(source, question, asking);
        asking.stop.abort();
      }
    }
  };
}
