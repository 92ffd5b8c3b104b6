/**
 * Runs work until Ctrl-C or `signal` ends it, neither of which is an error. Resolves or rejects as the work does. `signals`: what else the process receives
 * that ends the work instead of the process.
 */
export async function untilInterrupted<T>(
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = [],
): Promise<T> {
  const stop = new AbortController();
  const onInterrupt = (name: NodeJS.Signals) => stop.abort(new Error(name));
  const all: readonly NodeJS.Signals[] = ['SIGINT', ...signals];
  for (const name of all) process.on(name, onInterrupt);
  try {
    return await work(AbortSignal.any([signal, stop.signal]));
  } finally {
    for (const name of all) process.off(name, onInterrupt);
  }
}
