const atOnce = 8;

/** Acts on every item, a few at a time, and rejects with the first failure. */
export async function inParallel<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
