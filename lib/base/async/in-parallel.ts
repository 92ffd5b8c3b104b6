/**
 * Acts on every item, at most `atOnce` at a time. Resolves with the results in the order of the items. After a failure no further item is started; it rejects
 * with the first failure once the started ones have ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  const waiting = items.entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        answers[index] = await act(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return answers;
}
