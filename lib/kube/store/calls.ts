import { KubeError, type MissingRule } from '../error.ts';
import { forbidden, mayDo, type StoreUser } from './access.ts';

/** One call, as interceptors and tests see it. `verb` is RBAC's. */
export type Call = MissingRule & { user: string; body?: unknown };

/**
 * Stands around every call: may wait, throw a KubeError instead of `proceed()` (nothing happens) or after it (it happened, but the answer
 * was lost), or act on the store. A list passes once a page, a watch once each time it lists.
 */
export type Interceptor = (call: Call, proceed: () => Promise<void>) => Promise<void>;

export type Request = {
  rule: MissingRule;
  /** Reviews of one's own access and discovery are open to everybody who is signed in. */
  open?: 'to-everybody';
  signal?: AbortSignal | undefined;
  body?: unknown;
};

/** The way of every call into the store: access, faults, cancellation. Time-outs are not modelled: only interceptors take time. */
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
    // Calls to a real server never answer in the same turn; code that relies on it would only work here.
    await Promise.resolve();
    await untilAborted(proceed, signal);
    const done = result as { value: T } | null;
    if (!done) throw new KubeError('server', 'An interceptor neither proceeded nor failed.');
    return done.value;
  }
}

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
