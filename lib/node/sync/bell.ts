/** Wakes one waiting task. A ring while nobody waits wakes the next that does. */
export class Bell {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  /** Resolves at the next ring, or when the signal aborts. */
  async heard(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    if (signal.aborted) return;
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#rung.promise, aborted.promise]);
    signal.removeEventListener('abort', onAbort);
    this.#rung = Promise.withResolvers<void>();
  }
}
