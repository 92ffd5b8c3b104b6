/** The label by which DaemonSets select Linux nodes. */
export const linuxLabel = { 'kubernetes.io/os': 'linux' } as const;

/** One term per node: `metadata.name` takes a single value (kubernetes.io/docs › Assigning Pods to Nodes › matchFields). */
export function onNodes(nodes: readonly string[]) {
  const nodeSelectorTerms = nodes.map((name) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
  }));
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

export const withoutRights = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** Variables as a container lists them, taken literally: `$(NAME)` in a value is not expanded. */
export function environmentOf(environment: Readonly<Record<string, string>>): { name: string; value: string }[] {
  // Kubernetes turns two dollar signs into one.
  return Object.entries(environment).map(([name, value]) => ({ name, value: value.replaceAll('$', '$$$$') }));
}
