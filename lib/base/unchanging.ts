const unchangeable = new WeakSet<object>();

/** The same data, deeply frozen, so that a result computed from it stays valid (`oncePerUnchanging`). */
export function unchanging<Data extends object>(data: Data): Data {
  freeze(data);
  unchangeable.add(data);
  return data;
}

/** `compute` with its result cached for data made by `unchanging`; for other data it is called each time. */
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

/** Also descends into frozen values, because they may be frozen only at the top. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
