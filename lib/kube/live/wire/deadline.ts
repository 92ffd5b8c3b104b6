import { isKubeError, KubeError } from '../../error.ts';

/** One signal out of the caller's, the client's own and a clock; `dispose` when the call is over, or its listeners stay. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Milliseconds left; Infinity without a limit. */
  remainingMs(): number;
  dispose(): void;
};

/** The signal's reason is a KubeError: `timeout` when the time is up, `aborted` when one of `signals` was. */
export function deadline(limitMs: number | null, what: string, ...signals: (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  const endsAt = limitMs === null ? Number.POSITIVE_INFINITY : performance.now() + limitMs;
  // A signal that is a deadline of ours itself already says why.
  const onAbort = () => {
    const reason: unknown = signals.find((signal) => signal?.aborted)?.reason;
    controller.abort(isKubeError(reason) ? reason : new KubeError('aborted', `${what} was called off.`));
  };
  const timer =
    limitMs === null
      ? null
      : setTimeout(() => {
          controller.abort(new KubeError('timeout', `${what} took longer than ${limitMs / 1000} s.`));
        }, limitMs);
  for (const signal of signals) {
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    dispose: () => {
      if (timer) clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', onAbort);
    },
  };
}

/**
 * Aborts when any of them does. Unlike AbortSignal.any it lets go of long-lived signals when the work is over: Node 24 keeps what listens to one of those for
 * as long as its sources live, 1.2 KB for each watch.
 */
export function joinSignals(...signals: (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  dispose(): void;
} {
  return deadline(null, 'The call', ...signals);
}
