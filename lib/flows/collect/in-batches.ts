/**
 * Groups items into batches of at most `most`, each no later than `waitMs` after it was begun; the batch is empty if no item came in that time. Items
 * before an error are yielded before it is thrown. Reads no faster than the caller.
 */
export async function* inBatches<T>(
  items: AsyncIterator<T>,
  { most, waitMs }: { readonly most: number; readonly waitMs: number },
): AsyncGenerator<T[]> {
  let coming = settled(items.next());
  while (true) {
    const batch: T[] = [];
    const due = alarm(waitMs);
    try {
      while (batch.length < most) {
        const next = await Promise.race([coming, due.rings]);
        if (next === null) break;
        if ('error' in next || next.result.done) {
          yield batch;
          if ('error' in next) throw next.error;
          return;
        }
        batch.push(next.result.value);
        coming = settled(items.next());
      }
    } finally {
      due.stop();
    }
    yield batch;
  }
}

/** Turns an error into a value, so that a rejection that nobody awaits yet is not unhandled. */
function settled<T>(
  next: Promise<IteratorResult<T>>,
): Promise<{ readonly result: IteratorResult<T> } | { readonly error: unknown }> {
  return next.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

function alarm(ms: number): { rings: Promise<null>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const rings = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return { rings, stop: () => clearTimeout(timer) };
}
