import type { Manifest, ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import { sha256 } from '../cache/kept-files.ts';
import { ReleaseError } from '../release-error.ts';
import { parseManifest } from './parse-manifest.ts';

const file = 'custom-resources.yaml';
const refuse = (because: string) => new ReleaseError('release.invalid', `The file of custom resources ${because}`);

/**
 * The user's file of custom resources, under the name of the published one that it replaces; empty without one. It may use everything that the operator knows,
 * also Calico Enterprise, but may only have resources of the operator, because the plan shows them and the journal stores them.
 *
 * @param text From the answers; untrusted.
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
 * Refuses other objects: they would not be applied, and a Secret would end up in stored plans.
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

/** A release with the user's custom resources in place of its own; unchanged without them. */
export async function withCustomResources(
  release: ReleaseContents,
  text: string | undefined,
  signal: AbortSignal,
): Promise<ReleaseContents> {
  const own = await customResourcesFile(release.version, text, signal);
  return { ...release, manifests: { ...release.manifests, ...own } };
}
