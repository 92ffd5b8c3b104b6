/** A changing view. `until` resolves with the next shown value that meets the condition, or with the present one. */
export type Screen<T> = {
  /** The present value; null before the first. */
  current(): T | null;
  show(value: T | null): void;
  until(holds: (value: T) => boolean): Promise<T>;
};

export function screen<T>(): Screen<T> {
  let shown: T | null = null;
  const looking = new Set<() => void>();
  return {
    current: () => shown,
    show: (value) => {
      shown = value;
      for (const look of [...looking]) look();
    },
    until: (holds) =>
      new Promise<T>((resolve) => {
        const look = () => {
          if (shown === null || !holds(shown)) return;
          looking.delete(look);
          resolve(shown);
        };
        looking.add(look);
        look();
      }),
  };
}
