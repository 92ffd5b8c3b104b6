import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';

/** Every object of every kind that the API lists, each kind once. */
export async function clusterContents(kube: Kube): Promise<KubeObject[]> {
  const { resources } = await kube.discover();
  const kinds = new Map<string, Resource>();
  for (const { verbs, ...resource } of resources) {
    const listable = verbs.includes('list') && !resource.plural.includes('/');
    const key = `${resource.group}/${resource.plural}`;
    if (listable && !kinds.has(key)) kinds.set(key, resource);
  }
  const found: KubeObject[] = [];
  for (const resource of kinds.values()) {
    try {
      for await (const page of kube.list(resource)) found.push(...page.items.map((item) => named(item, resource)));
    } catch (error) {
      // Discovery lists kinds of aggregated APIs whose backend may be away: nothing of theirs can be compared.
      if (!isKubeError(error, 'not-served')) throw error;
    }
  }
  return found;
}

/** Items of a list come without apiVersion and kind from some servers. */
function named(item: KubeObject, { group, version, kind }: Resource): KubeObject {
  return { ...item, apiVersion: item.apiVersion ?? (group ? `${group}/${version}` : version), kind: item.kind ?? kind };
}
