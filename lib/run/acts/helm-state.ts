import { decodeHelmRelease } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

/** The newest revision of a release, by the labels of Helm's Secrets (calico.md §9). */
export type HelmState = { readonly revision: number; readonly status: string };

export type HelmName = { readonly release: string; readonly namespace: string };

/** Null where Helm has no such release. */
export async function helmState(
  kube: Kube,
  { release, namespace }: HelmName,
  signal?: AbortSignal,
): Promise<HelmState | null> {
  let newest: HelmState | null = null;
  for await (const page of kube.listMetadata(resources.secrets, {
    namespace,
    labelSelector: `owner=helm,name=${release}`,
    ...(signal ? { signal } : {}),
  })) {
    for (const { metadata } of page.items) {
      const revision = Number(metadata.labels?.version);
      if (revision > (newest?.revision ?? -1)) newest = { revision, status: metadata.labels?.status ?? '' };
    }
  }
  return newest;
}

/** The chart of that revision with its version, `tigera-operator-v3.31.4`; null where its Secret tells none. */
export async function chartOf(
  kube: Kube,
  { release, namespace }: HelmName,
  revision: number,
  signal?: AbortSignal,
): Promise<string | null> {
  const target = { resource: resources.secrets, namespace, name: secretOf(release, revision) };
  const secret = await kube.get(target, signal ? { signal } : {});
  return (secret && decodeHelmRelease(secret)?.chart) ?? null;
}

/** https://helm.sh/docs/topics/advanced/#storage-backends */
export function secretOf(release: string, revision: number): string {
  return `sh.helm.release.v1.${release}.v${revision}`;
}
