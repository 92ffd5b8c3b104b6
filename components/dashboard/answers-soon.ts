/**
 * Whether a promise settles within `ms`. A cluster that answers at once gets a page that is whole at once, without a skeleton in between; and a
 * browser without script, which could not put the rest into its place, sees it.
 */
export async function answersSoon(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
