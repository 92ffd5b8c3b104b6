import type { Manifest, ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import { sha256 } from '../cache/kept-files.ts';
import { ReleaseError } from '../release-error.ts';
import { parseManifest } from './parse-manifest.ts';

const file = 'custom-resources.yaml';
const refuse = (because: string) => new ReleaseError('release.invalid', `The file of custom resources ${because}`);

/**
 * Somebody's own file of custom resources, by the name of the one that it stands for; nothing where there is none. It may ask for whatever its
 * operator knows, Calico Enterprise included, but it holds resources of the operator alone: they are shown in the plan and kept in its journal.
 *
 * @param text From the answers: hostile until read.
 * @throws ReleaseError `release.invalid` with a sentence that names the object or the line.
 */
export async function customResourcesFile(
  version: string,
  text: string | undefined,
  signal: AbortSignal,
): Promise<Readonly<Record<string, Manifest>>> {
  if (text === undefined) return {};
  const bytes = Buffer.from(text);
  const objects = await parseManifest('The file of custom resources', bytes, signal);
  mustBeOfOperator('The file of custom resources', objects);
  const installations = objects.filter(({ kind }) => kind === 'Installation').map(({ metadata }) => metadata.name);
  if (installations.length !== 1 || installations[0] !== 'default')
    throw refuse(
      installations.length === 1
        ? `holds Installation ${installations[0]}, which the operator ignores. Name it default.`
        : `holds ${installations.length === 0 ? 'no Installation' : `${installations.length} Installations`}. One is needed, named default.`,
    );
  return { [file]: { version, file, sha256: sha256(bytes), objects } };
}

/**
 * Of what else stands there nothing would be made, and a secret would end up where plans are kept.
 *
 * @throws ReleaseError `release.invalid`
 */
export function mustBeOfOperator(where: string, objects: readonly ManifestObject[]): void {
  const other = objects.find(({ apiVersion }) => !apiVersion.startsWith('operator.tigera.io/'));
  if (other === undefined) return;
  throw new ReleaseError(
    'release.invalid',
    `${where} holds ${other.kind} ${other.metadata.name} (${other.apiVersion}). Only resources of the operator (operator.tigera.io) belong into it, because the plan shows them and its journal keeps them. Take this one out, and make it yourself.`,
  );
}

/** A release with somebody's own custom resources in the place of its own; the release itself where there are none. */
export async function withCustomResources(
  release: ReleaseContents,
  text: string | undefined,
  signal: AbortSignal,
): Promise<ReleaseContents> {
  const own = await customResourcesFile(release.version, text, signal);
  return { ...release, manifests: { ...release.manifests, ...own } };
}
