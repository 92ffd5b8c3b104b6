import { isRecord, valueAt } from '#lib/base/records.ts';
import { type ManifestObject, splitImage } from '#lib/spec/index.ts';

/**
 * The releases of a manifest's agents, by the tags of the DaemonSets' images `…/node` (calico.md §9): exactly one in a published file. Empty if a mirror uses
 * digests instead of tags.
 */
export function agentVersions(objects: readonly ManifestObject[]): readonly string[] {
  const containers = objects
    .filter(({ kind }) => kind === 'DaemonSet')
    .flatMap((object) => valueAt(object, ['spec', 'template', 'spec', 'containers']) ?? []);
  const tags = containers.flatMap((one) => {
    const image = isRecord(one) && typeof one.image === 'string' ? one.image : '';
    const { name, version } = splitImage(image);
    return name === 'node' ? (/^:(v\d+\.\d+\.\d+)(?:@|$)/.exec(version)?.[1] ?? []) : [];
  });
  return [...new Set(tags)];
}
