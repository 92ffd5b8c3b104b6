/**
 * Hands on what comes together, `most` at a time, and no later than `waitMs` after the first of it; an empty batch where nothing came for so long.
 * What came before a fault is handed on before it is thrown. Reads no faster than it is read.
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

/** A fault that nobody waits for yet is no unhandled one. */
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
