import { isKubeError, KubeError, type KubeErrorDetail } from '../../error.ts';

/** One signal from the caller's, the client's and a timer. Call `dispose` after the call, or its listeners leak. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Milliseconds left; Infinity without a limit. */
  remainingMs(): number;
  dispose(): void;
};

/** How the two ends of a call are told: `late` goes before the limit, as in `… took longer than 30 s.`; `detail` is for the error of a late one. */
export type Ends = { readonly cancelled: string; readonly late: string; readonly detail?: KubeErrorDetail };

/** The signal's reason is a KubeError: `timeout` after `limitMs`, `aborted` if one of `signals` aborted. */
export function deadline(limitMs: number | null, ends: Ends, ...signals: (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  const endsAt = limitMs === null ? Number.POSITIVE_INFINITY : performance.now() + limitMs;
  // The reason of one of our own deadlines is a KubeError already.
  const onAbort = () => {
    const reason: unknown = signals.find((signal) => signal?.aborted)?.reason;
    controller.abort(isKubeError(reason) ? reason : new KubeError('aborted', ends.cancelled));
  };
  const timer =
    limitMs === null
      ? null
      : setTimeout(() => {
          controller.abort(new KubeError('timeout', `${ends.late} ${limitMs / 1000} s.`, ends.detail));
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

/** For what takes too long as a whole. */
export function endsOf(what: string): Ends {
  return { cancelled: `${what} was cancelled.`, late: `${what} took longer than` };
}

/**
 * Aborts when any of the signals does. Unlike AbortSignal.any it removes its listeners from long-lived signals after the work: Node 24 keeps what listens to
 * AbortSignal.any as long as its sources live, 1.2 KB for each watch.
 */
export function joinSignals(...signals: (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  dispose(): void;
} {
  return deadline(null, endsOf('The call'), ...signals);
}
