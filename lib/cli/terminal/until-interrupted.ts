/** Work that goes on until Ctrl-C, which ends it and is no fault of it. `signal` ends it too; whatever it resolves or rejects with comes back. */
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
