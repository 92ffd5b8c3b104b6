import { inList } from '#lib/base/words.ts';
import {
  calicoMinorOfOperator,
  calicoOfOperator,
  calicoReleases,
  enterpriseRelease,
  isForOpenshift,
  isUnknown,
  type Manifest,
  type ManifestObject,
  openshiftUpgradeFile,
  type PlatformKind,
  type ReleaseContents,
  type Variant,
  variantOf,
} from '#lib/spec/index.ts';
import { cacheOf } from './cache/cache.ts';
import { keepContent, keepParsed, readParsed } from './cache/content-store.ts';
import { ifPossible, sha256 } from './cache/kept-files.ts';
import { standingOf } from './known-checksum.ts';
import { agentVersions } from './manifest/agent-versions.ts';
import { customResourcesFile, mustBeOfOperator } from './manifest/custom-resources-file.ts';
import { operatorVersion } from './manifest/operator-version.ts';
import { parseManifest } from './manifest/parse-manifest.ts';
import { filesOfRelease, missingObjects } from './manifest/required-objects.ts';
import { ReleaseError } from './release-error.ts';
import { releaseVersion } from './release-version.ts';
import { openSource } from './sources/open-source.ts';
import type { ReleaseOptions, ReleaseSource, WantedSource } from './sources/release-source.ts';

/** A release, and for which platform: OpenShift installs from its own bundle. */
export type WantedRelease = WantedSource & {
  readonly platform?: PlatformKind | undefined;
  /** Text of custom resources that replace the published ones. */
  readonly customResources?: string | undefined;
};

/**
 * Opens the files of a Calico release that an installation needs: reads them from the source, parses them, checks that they have what a release must contain
 * (`releaseFiles` of lib/spec), and caches them by checksum, so that a run can continue with the same files.
 *
 * For an installation by manifest, `manifests` has only its file, whose agents must be of this release; likewise for the upgrade of OpenShift's operator. On
 * OpenShift `manifests` has only `ocp`, elsewhere the published files by name. The operator's version comes from its Deployment and must be one that installs
 * this release. The custom resources decide the product: Calico and Calico Enterprise number their releases separately, and both have a v3.22.2.
 *
 * @throws ReleaseError with a sentence that names the file and what to do.
 */
export async function openRelease(wanted: WantedRelease, options: ReleaseOptions): Promise<ReleaseContents> {
  const version = releaseVersion(wanted.version);
  const own = await customResourcesFile(version, wanted.customResources, options.signal);
  const product = own['custom-resources.yaml'] && variantOf({ manifests: own });
  const source = await openSource({ ...wanted, version, product }, options);
  if (wanted.manifest !== undefined) return ofManifest(version, wanted.manifest, source, options);
  if (source.only === 'ocp' && wanted.platform !== undefined && wanted.platform !== 'openshift') {
    throw new ReleaseError(
      'release.source',
      `${capital(source.named)} is the bundle from which OpenShift's operator is installed, and the files that are published by name are needed here. Name a folder, a release-${version}.tgz or an address.`,
    );
  }
  const manifests =
    source.only === 'ocp' || wanted.platform === 'openshift'
      ? { ocp: await ocpManifest(version, source, options), ...own }
      : await publishedManifests(version, source, own, options);
  const held = withStandings(version, manifests, own);
  if (source.kind === 'address') mustBeAsPublished(version, held, source);
  const operator = checkedOperator(version, manifests, source);
  return { version, operator, source: source.named, manifests: held };
}

/** Each file with how it compares with the published one. */
function withStandings(
  version: string,
  manifests: Readonly<Record<string, Manifest>>,
  own: Readonly<Record<string, Manifest>>,
): Readonly<Record<string, Manifest>> {
  const release = { version, product: variantOf({ manifests }) };
  return Object.fromEntries(
    Object.entries(manifests).map(([file, manifest]) => {
      const standing = own[file] === undefined ? standingOf(release, manifest) : 'own';
      return [file, { ...manifest, standing }];
    }),
  );
}

function mustBeAsPublished(
  version: string,
  manifests: Readonly<Record<string, Manifest>>,
  source: ReleaseSource,
): void {
  for (const { file, sha256: actual, standing } of Object.values(manifests)) {
    if (standing !== 'changed') continue;
    throw new ReleaseError(
      'release.changed',
      `${whereOf(version, file, source)} is not the file that was published: its checksum is ${actual}. Nothing of it was used.`,
    );
  }
}

async function publishedManifests(
  version: string,
  source: ReleaseSource,
  own: Readonly<Record<string, Manifest>>,
  options: ReleaseOptions,
) {
  const manifests: Record<string, Manifest> = { ...own };
  const take = async (files: readonly string[]): Promise<readonly string[]> => {
    const absent: string[] = [];
    for (const file of files) {
      const bytes = manifests[file] === undefined ? await source.read(file) : null;
      if (bytes !== null) manifests[file] = await manifestOf(version, file, bytes, source, options);
      if (manifests[file] === undefined) absent.push(file);
    }
    return absent;
  };
  // The custom resources decide the product, and so the further files.
  const absent = await take(filesOfRelease(version, 'required'));
  const variant = variantOf({ manifests });
  const needed = filesOfRelease(version, 'required', variant);
  const missing = await take(needed.filter((file) => !absent.includes(file)));
  const without = needed.filter((file) => [...absent, ...missing].includes(file));
  if (without.length > 0) throw lacking(version, source, without);
  await take(filesOfRelease(version, 'optional', variant));
  for (const [file, { objects }] of Object.entries(manifests))
    if (own[file] === undefined) mustBeWhole({ version, variant }, file, objects, source);
  return manifests;
}

/** The file of an installation by manifest, which has no operator. */
async function ofManifest(
  version: string,
  file: string,
  source: ReleaseSource,
  options: ReleaseOptions,
): Promise<ReleaseContents> {
  const bytes = await source.read(file);
  if (bytes === null) {
    throw new ReleaseError(
      'release.missing',
      `${capital(source.named)} has no ${file}, from which this Calico was installed. ${source.remedy([file])}`,
    );
  }
  const manifest = await manifestOf(version, file, bytes, source, options);
  const held = withStandings(version, { [file]: manifest }, {});
  if (file === openshiftUpgradeFile) return ofOpenshift(version, held, source);
  const agents = agentVersions(manifest.objects);
  // A published file belongs to its release, whatever its agents' version: v3.24.6 runs agents of v3.24.5.
  const isPublished = held[file]?.standing === 'published';
  if (!isPublished && agents.length > 0 && !agents.includes(version)) {
    throw new ReleaseError(
      'release.invalid',
      `${whereOf(version, file, source)} runs agents of ${inList(agents)}. Name the source of ${version}, or choose the release that is there.`,
    );
  }
  if (source.kind === 'address') mustBeAsPublished(version, held, source);
  return { version, operator: operatorKnownFor(version), source: source.named, manifests: held };
}

/** The upgrade of OpenShift's operator, which is a file of its own. */
function ofOpenshift(
  version: string,
  manifests: Readonly<Record<string, Manifest>>,
  source: ReleaseSource,
): ReleaseContents {
  const objects = manifests[openshiftUpgradeFile]?.objects ?? [];
  mustBeWhole({ version, variant: 'Calico' }, openshiftUpgradeFile, objects, source);
  if (source.kind === 'address') mustBeAsPublished(version, manifests, source);
  return { version, operator: checkedOperator(version, manifests, source), source: source.named, manifests };
}

function operatorKnownFor(version: string): string {
  const known = calicoReleases.find((row) => row.version === version)?.operator;
  return known === undefined || isUnknown(known) ? 'none' : known;
}

async function ocpManifest(version: string, source: ReleaseSource, options: ReleaseOptions): Promise<Manifest> {
  const files = await source.readOcp();
  if (files === null || files.length === 0) throw lacking(version, source, ['ocp/*.yaml']);
  // Joined, so that all files have one checksum.
  const bytes = Buffer.concat(files.flatMap(({ name, bytes }) => [Buffer.from(`---\n# ${name}\n`), bytes, newLine]));
  const ocp = await manifestOf(version, 'ocp', bytes, source, options);
  mustBeWhole({ version, variant: variantOf({ manifests: { ocp } }) }, 'ocp', ocp.objects, source);
  return ocp;
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
  options: ReleaseOptions,
): Promise<Manifest> {
  const checksum = sha256(bytes);
  const cache = cacheOf(options);
  const parsed = await readParsed(cache, checksum);
  const objects = parsed ?? (await parseManifest(whereOf(version, file, source), bytes, options.signal));
  // If caching fails, a run that continues reads the files from the source again.
  if (parsed === null) await ifPossible(async () => keepParsed(cache, await keepContent(cache, bytes), objects));
  return { version, file, sha256: checksum, objects };
}

const whereOf = (version: string, file: string, source: ReleaseSource) => `${file} of ${version} in ${source.named}`;

function mustBeWhole(
  release: { readonly version: string; readonly variant: Variant },
  file: string,
  objects: readonly ManifestObject[],
  source: ReleaseSource,
): void {
  const { version } = release;
  const missing = missingObjects(release, file, objects);
  if (missing.length === 0) {
    if (file === 'custom-resources.yaml') mustBeOfOperator(whereOf(version, file, source), objects);
    return;
  }
  throw new ReleaseError(
    'release.invalid',
    `${whereOf(version, file, source)} lacks ${inList(missing)}, without which ${version} cannot be installed. Take the file as it was published with ${version}.`,
  );
}

/** Names a few, and says how many more there are. */
function checkedOperator(
  version: string,
  manifests: Readonly<Record<string, Manifest>>,
  source: ReleaseSource,
): string {
  const file = Object.keys(manifests).find(isForOpenshift) ?? 'tigera-operator.yaml';
  const where = whereOf(version, file, source);
  const operator = operatorVersion(manifests[file]?.objects ?? []);
  if (operator === null) {
    throw new ReleaseError(
      'release.invalid',
      `${where} does not say which version its operator is: neither the image of Deployment tigera-operator has a tag like v1.40.7, nor its variable TIGERA_OPERATOR_INIT_IMAGE_VERSION.`,
    );
  }
  if (variantOf({ manifests }) === 'TigeraSecureEnterprise') return ofEnterprise(version, operator, where);
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

/** The operator of an Enterprise release. For releases that were never read, it cannot be verified. */
function ofEnterprise(version: string, operator: string, where: string): string {
  const expected = enterpriseRelease(version)?.operator ?? operator;
  if (operator === expected) return operator;
  throw new ReleaseError(
    'release.invalid',
    `${where} holds operator ${operator}, and Calico Enterprise ${version} comes with ${expected}. Name the source of Enterprise’s ${version}, or choose the release that is there.`,
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
