/** Runs work until Ctrl-C or `signal` ends it, neither of which is an error. Resolves or rejects as the work does. */
export async function untilInterrupted<T>(signal: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error('SIGINT'));
  process.on('SIGINT', onInterrupt);
  try {
    return await work(AbortSignal.any([signal, stop.signal]));
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
