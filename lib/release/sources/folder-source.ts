import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, diskError } from '../cache/kept-files.ts';
import { mostBytes } from '../limits.ts';
import { filesOfRelease } from '../manifest/required-objects.ts';
import { ReleaseError } from '../release-error.ts';
import { isOcpFile, readOcpArchive } from './ocp-archive.ts';
import type { MarkedRelease, NamedBytes, ReleaseSource } from './release-source.ts';

/** Places for a release's files below a folder: per release, as a bundle unpacks, or directly in it. */
const levels = (version: string): readonly string[] => [
  version,
  join(version, 'manifests'),
  join(`release-${version}`, 'manifests'),
  'manifests',
  '.',
];

/**
 * A folder with a release's files, with or without a `<version>/` level, or with the files of OpenShift's bundle. Its files are used unchanged, because the user
 * may have edited them, and without any connection.
 *
 * @param calledBy What named the folder; begins a sentence.
 * @throws ReleaseError `release.missing` if it has no release.
 */
export async function folderSource(
  folder: string,
  { version, marker }: MarkedRelease,
  calledBy: string,
  signal: AbortSignal,
): Promise<ReleaseSource> {
  for (const level of levels(version)) {
    const below = join(folder, level);
    if (await isFile(join(below, marker))) return sourceOf(below, version, signal);
  }
  for (const below of [join(folder, version, 'ocp'), join(folder, 'ocp'), folder]) {
    if (await isFile(join(below, '02-tigera-operator.yaml'))) return ocpOnly(below, version);
  }
  const others = await releasesIn(folder, marker);
  const instead =
    others.length === 0
      ? `there is no ${version}/${marker}, no ${marker} and no file of OpenShift’s bundle in it`
      : `there is ${others.join(', ')} in it`;
  throw new ReleaseError(
    'release.missing',
    `${calledBy} (${folder}) does not hold ${version}: ${instead}. ${remedy(version, join(folder, version))(marker === 'tigera-operator.yaml' ? filesOfRelease(version, 'required') : [marker])}`,
  );
}

function sourceOf(folder: string, version: string, signal: AbortSignal): ReleaseSource {
  return {
    named: `the folder ${folder}`,
    kind: 'local',
    only: 'any',
    read: (file) => readBounded(join(folder, file)),
    readOcp: async () => (await readOcp(join(folder, 'ocp'))) ?? packedOcp(folder, signal),
    remedy: remedy(version, folder),
  };
}

function ocpOnly(folder: string, version: string): ReleaseSource {
  return {
    named: `the folder ${folder}`,
    kind: 'local',
    only: 'ocp',
    read: async () => null,
    readOcp: () => readOcp(folder),
    remedy: remedy(version, folder),
  };
}

const remedy = (version: string, folder: string) => (files: readonly string[]) =>
  `Put ${files.join(', ')} into ${folder}, as published with ${version}.`;

/** The downloaded `ocp.tgz` in the folder of the manifests. */
async function packedOcp(folder: string, signal: AbortSignal): Promise<readonly NamedBytes[] | null> {
  const path = join(folder, 'ocp.tgz');
  const bytes = await readBounded(path);
  return bytes === null ? null : readOcpArchive(path, bytes, signal);
}

async function readOcp(folder: string): Promise<readonly NamedBytes[] | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw diskError(folder, 'read', error);
  });
  if (entries === null) return null;
  const names = entries.filter((entry) => entry.isFile() && isOcpFile(entry.name)).map(({ name }) => name);
  const files: NamedBytes[] = [];
  for (const name of names.sort()) {
    const bytes = await readBounded(join(folder, name));
    if (bytes !== null) files.push({ name, bytes });
  }
  return files;
}

/** A few other releases in the folder. */
async function releasesIn(folder: string, marker: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap(({ name }) => (/^v\d+\.\d+\.\d+$/.test(name) ? [name] : []));
  const held = await Promise.all(names.map((name) => isFile(join(folder, name, marker))));
  return names
    .filter((_, index) => held[index])
    .sort()
    .slice(0, 10);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return false;
    throw diskError(path, 'read', error);
  }
}

/** Reads a regular file up to the limit; others, such as endless pipes, are not read. */
async function readBounded(path: string): Promise<Uint8Array | null> {
  if (!(await isFile(path))) return null;
  const file = await open(path, 'r').catch((error: unknown) => {
    throw diskError(path, 'read', error);
  });
  try {
    const { size } = await file.stat();
    if (size > mostBytes)
      throw new ReleaseError(
        'release.invalid',
        `${path} has ${size} bytes; no file of a release has more than ${mostBytes}.`,
      );
    return await file.readFile();
  } catch (error) {
    throw diskError(path, 'read', error);
  } finally {
    await file.close();
  }
}
