import {
  calicoMinorOfOperator,
  calicoOfOperator,
  calicoReleases,
  type Manifest,
  type ManifestObject,
  type PlatformKind,
  type ReleaseContents,
} from '#lib/spec/index.ts';
import { keepContent, keepParsed, readParsed } from './content-store.ts';
import { sha256 } from './kept-files.ts';
import { openSource, type ReleaseOptions, type WantedSource } from './open-source.ts';
import { operatorVersion } from './operator-version.ts';
import { parseManifest } from './parse-manifest.ts';
import { ReleaseError } from './release-error.ts';
import type { ReleaseSource } from './release-source.ts';
import { releaseVersion } from './release-version.ts';
import { filesOfRelease, missingObjects } from './required-objects.ts';

/** A release, and for which platform: OpenShift installs from its own bundle. */
export type WantedRelease = WantedSource & { readonly platform?: PlatformKind | undefined };

/**
 * The files of a Calico release that an installation needs: read from the source, parsed, held against what a release must contain
 * (`releaseFiles` of lib/spec), and kept by their checksums, so that a run carries on with the very same files.
 *
 * On OpenShift `manifests` has `ocp` alone, elsewhere what is published by name. The operator's version is the one that its Deployment names,
 * and it must be one that installs this release.
 *
 * @throws ReleaseError with a sentence that names the file and what to do.
 */
export async function openRelease(wanted: WantedRelease, options: ReleaseOptions): Promise<ReleaseContents> {
  const version = releaseVersion(wanted.version);
  const source = await openSource({ ...wanted, version }, options);
  if (source.only === 'ocp' && wanted.platform !== undefined && wanted.platform !== 'openshift') {
    throw new ReleaseError(
      'release.source',
      `${capital(source.named)} is the bundle for OpenShift, and this cluster is none. Name a folder, a release-${version}.tgz or an address.`,
    );
  }
  const manifests =
    source.only === 'ocp' || wanted.platform === 'openshift'
      ? { ocp: await ocpManifest(version, source, options) }
      : await publishedManifests(version, source, options);
  const operator = checkedOperator(version, manifests, source);
  return { version, operator, source: source.named, manifests };
}

async function publishedManifests(version: string, source: ReleaseSource, options: ReleaseOptions) {
  const manifests: Record<string, Manifest> = {};
  const absent: string[] = [];
  for (const presence of ['required', 'optional'] as const) {
    for (const file of filesOfRelease(version, presence)) {
      const bytes = await source.read(file);
      if (bytes !== null) manifests[file] = await manifestOf(version, file, bytes, source, options);
      else if (presence === 'required') absent.push(file);
    }
    if (absent.length > 0) throw lacking(version, source, absent);
  }
  return manifests;
}

async function ocpManifest(version: string, source: ReleaseSource, options: ReleaseOptions): Promise<Manifest> {
  const files = await source.readOcp();
  if (files === null || files.length === 0) throw lacking(version, source, ['ocp/*.yaml']);
  // One text, so that one checksum stands for all of them.
  const bytes = Buffer.concat(files.flatMap(({ name, bytes }) => [Buffer.from(`---\n# ${name}\n`), bytes, newLine]));
  return manifestOf(version, 'ocp', bytes, source, options);
}

const newLine = Buffer.from('\n');

function lacking(version: string, source: ReleaseSource, files: readonly string[]): ReleaseError {
  return new ReleaseError(
    'release.missing',
    `${capital(source.named)} has no ${files.join(' and no ')}, which every installation of ${version} needs. ${source.remedy(files)}`,
  );
}

async function manifestOf(
  version: string,
  file: string,
  bytes: Uint8Array,
  source: ReleaseSource,
  { env = process.env, signal }: ReleaseOptions,
): Promise<Manifest> {
  const checksum = sha256(bytes);
  const where = `${file} of ${version} in ${source.named}`;
  const parsed = await readParsed(env, checksum);
  const objects = parsed ?? (await parseManifest(where, bytes, signal));
  const missing = missingObjects(version, file, objects);
  if (missing.length > 0) {
    throw new ReleaseError(
      'release.invalid',
      `${where} lacks ${listed(missing)}, without which ${version} cannot be installed. Take the file as it was published with ${version}.`,
    );
  }
  if (parsed === null) await keepIfPossible(env, bytes, objects);
  return { version, file, sha256: checksum, objects };
}

/** A machine that cannot keep files can still install; a run that is carried on there reads them from the source once more. */
async function keepIfPossible(
  env: Readonly<Record<string, string | undefined>>,
  bytes: Uint8Array,
  objects: readonly ManifestObject[],
): Promise<void> {
  try {
    await keepParsed(env, await keepContent(env, bytes), objects);
  } catch (error) {
    if (!(error instanceof ReleaseError) || error.code !== 'release.disk') throw error;
  }
}

/** Names a few, and says how many more there are. */
function listed(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

function checkedOperator(
  version: string,
  manifests: Readonly<Record<string, Manifest>>,
  source: ReleaseSource,
): string {
  const file = manifests.ocp ? 'ocp' : 'tigera-operator.yaml';
  const where = `${file} of ${version} in ${source.named}`;
  const operator = operatorVersion(manifests[file]?.objects ?? []);
  if (operator === null) {
    throw new ReleaseError(
      'release.invalid',
      `${where} does not say which version its operator is: neither the image of Deployment tigera-operator has a tag like v1.40.7, nor its variable TIGERA_OPERATOR_INIT_IMAGE_VERSION.`,
    );
  }
  const expected = calicoReleases.find((row) => row.version === version)?.installs ?? version;
  const installs = calicoOfOperator(operator);
  const minor = calicoMinorOfOperator(operator);
  if ((installs !== null && installs !== expected) || (minor !== null && !expected.startsWith(`v${minor}.`))) {
    throw new ReleaseError(
      'release.invalid',
      `${where} holds operator ${operator}, which installs Calico ${installs ?? `v${minor}`}, not ${expected}. Name the source of ${version}, or choose the release that is there.`,
    );
  }
  return operator;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
