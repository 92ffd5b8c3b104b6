type Coverage = { readonly covered: boolean } | undefined;

/**
 * Whether a list of facts may be counted: an empty one says something only where it was read. A cluster whose nodes may not be listed is not one without
 * nodes.
 */
export function wasRead<K extends 'nodes' | 'pools'>(
  facts: { readonly [key in K]: readonly unknown[] } & {
    readonly coverage: { readonly [key in K]?: Coverage };
  },
  list: K,
): boolean {
  return facts[list].length > 0 || facts.coverage[list]?.covered === true;
}
