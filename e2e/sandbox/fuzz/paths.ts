/** The paths of all members and items of an object, except those that identify it: without them it would be another object. */
export function pathsOf(object: object): string[][] {
  const found: string[][] = [];
  const walk = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, key];
      if (!identity.has(here.join('.'))) found.push(here);
      walk(inner, here);
    }
  };
  walk(object, []);
  return found;
}

const identity = new Set(['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace']);

/** Replaces the value at a path. `undefined` removes it, from a list too. Does nothing if the path does not exist. */
export function put(object: object, path: readonly string[], make: (value: unknown) => unknown): void {
  const [key = '', ...rest] = path;
  const own = object as Record<string, unknown>;
  if (!Object.hasOwn(own, key)) return;
  if (rest.length > 0) {
    const inner = own[key];
    if (typeof inner === 'object' && inner !== null) put(inner, rest, make);
    return;
  }
  const value = make(own[key]);
  if (value !== undefined) own[key] = value;
  else if (Array.isArray(object)) object.splice(Number(key), 1);
  else delete own[key];
}
