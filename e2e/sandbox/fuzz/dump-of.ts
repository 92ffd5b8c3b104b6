import type { KubeObject } from '#lib/kube/index.ts';

export type Kind = { readonly apiVersion: string; readonly kind: string };

/** The content of a dump's file: objects, empty lists of kinds without objects, and incomplete lists. */
export type DumpOf = {
  readonly objects: readonly KubeObject[];
  readonly emptyKinds: readonly Kind[];
  /** The first page of a list, as from `kubectl get --raw '/api/v1/nodes?limit=500'`, with a `continue` token. */
  readonly cut?: Kind & { readonly items: readonly KubeObject[] };
};

/** The kind with its group. A Calico kind counts as the same in Calico's group and in the datastore's (checks.md › Coverage). */
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
