import type { KubeObject } from '#lib/kube/index.ts';

export type Kind = { readonly apiVersion: string; readonly kind: string };

/** A dump as it is written to a file: objects, the kinds of which it says that there are none, and lists that end before their end. */
export type DumpOf = {
  readonly objects: readonly KubeObject[];
  readonly emptyKinds: readonly Kind[];
  /** One page of a list, as `kubectl get --raw '/api/v1/nodes?limit=500'` has it: its `continue` says that there is more. */
  readonly cut?: Kind & { readonly items: readonly KubeObject[] };
};

/** Kind with its group; a Calico kind and its twin in the datastore's group are one, as checks.md › Coverage has it. */
export function kindOf({ apiVersion, kind }: Kind): string {
  return kindIn(apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '', kind);
}

export function kindIn(group: string, kind: string): string {
  return `${kind}.${group.replace(/^crd\./, '')}`;
}

export function textOf({ objects, emptyKinds, cut }: DumpOf): string {
  const lists = emptyKinds.map(({ apiVersion, kind }) => ({ apiVersion, kind: `${kind}List`, items: [] }));
  const page = cut && {
    apiVersion: cut.apiVersion,
    kind: `${cut.kind}List`,
    metadata: { continue: 'eyJ2IjoibWV0YSJ9', remainingItemCount: 1 },
    items: cut.items,
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...objects, ...lists, ...(page ? [page] : [])] });
}
