/** Whether a list of nodes may be counted: an empty one says something only where nodes were read. A cluster whose nodes may not be listed is not one without nodes. */
export function wereNodesRead({
  nodes,
  coverage,
}: {
  readonly nodes: readonly unknown[];
  readonly coverage: { readonly nodes?: { readonly covered: boolean } | undefined };
}): boolean {
  return nodes.length > 0 || coverage.nodes?.covered === true;
}
