const unchangeable = new WeakSet<object>();

/** The same data, frozen down to its last value: what is computed of it once stays true (`oncePerUnchanging`). */
export function unchanging<Data extends object>(data: Data): Data {
  freeze(data);
  unchangeable.add(data);
  return data;
}

/** `compute`, which is asked once about data that cannot change, and each time about any other. */
export function oncePerUnchanging<Data extends object, Value>(compute: (data: Data) => Value): (data: Data) => Value {
  const values = new WeakMap<Data, { value: Value }>();
  return (data) => {
    const known = values.get(data);
    if (known) return known.value;
    const value = compute(data);
    if (unchangeable.has(data)) values.set(data, { value });
    return value;
  };
}

/** What is frozen already is looked through all the same: only its outermost part may be. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
