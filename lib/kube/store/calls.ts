import { KubeError, type MissingRule } from '../error.ts';
import { forbidden, mayDo, type StoreUser } from './access.ts';

/** One call, as interceptors and tests see it. `verb` is RBAC's verb. */
export type Call = MissingRule & { user: string; body?: unknown };

/**
 * Wraps every call. It may wait, act on the store, or throw a KubeError: before `proceed()`, so that nothing happens, or after it, so that only the answer is
 * lost. A list calls it for each page, a watch each time it lists.
 */
export type Interceptor = (call: Call, proceed: () => Promise<void>) => Promise<void>;

export type Request = {
  rule: MissingRule;
  /** Access reviews of oneself and discovery, which every authenticated user may call. */
  open?: 'to-everybody';
  signal?: AbortSignal | undefined;
  body?: unknown;
};

/** Every call into the store passes here: permissions, injected faults, cancellation. Time limits are not modelled, because only interceptors take time. */
export class Calls {
  readonly #interceptors: Interceptor[] = [];

  intercept(interceptor: Interceptor): () => void {
    this.#interceptors.push(interceptor);
    return () => {
      const index = this.#interceptors.indexOf(interceptor);
      if (index >= 0) this.#interceptors.splice(index, 1);
    };
  }

  async perform<T>(user: StoreUser, { rule, open, signal, body }: Request, act: () => T | Promise<T>): Promise<T> {
    throwIfAborted(signal);
    let result: { value: T } | null = null;
    let proceed = async () => {
      if (!open) requireAccess(user, rule);
      result = { value: await act() };
    };
    for (const interceptor of this.#interceptors) {
      const inner = proceed;
      proceed = () => interceptor({ ...rule, user: user.name, body }, inner);
    }
    // A real server never answers in the same turn of the event loop, so no caller may rely on it.
    await Promise.resolve();
    await untilAborted(proceed, signal);
    const done = result as { value: T } | null;
    if (!done) throw new KubeError('server', 'An interceptor neither proceeded nor failed.');
    return done.value;
  }
}

/** Throws `forbidden`, in the API server's words, if the user's rules do not allow this. */
export function requireAccess(user: StoreUser, rule: MissingRule): void {
  if (!mayDo(user, rule)) throw forbidden(user.name, rule);
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new KubeError('aborted', 'The call was cancelled.', {}, signal.reason);
}

async function untilAborted(work: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work();
  throwIfAborted(signal);
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new KubeError('aborted', 'The call was cancelled.', {}, signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
