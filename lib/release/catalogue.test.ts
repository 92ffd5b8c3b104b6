import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  calicoMinorOfOperator,
  calicoOfOperator,
  calicoReleases,
  compareNumbers,
  isPinned,
  parseRelease,
  proposedRelease,
  releaseToInstall,
  testedWithOf,
} from '#lib/spec/index.ts';
import { sha256 } from './cache/kept-files.ts';
import { releases } from './catalogue.ts';
import { checksumOf, filesOf, versionsWithFiles } from './checksums.ts';
import { filesOfRelease } from './manifest/required-objects.ts';

test('newest first', () => {
  const versions = calicoReleases.map(({ version }) => parseRelease(version) ?? []);
  expect(versions).toEqual(versions.toSorted((left, right) => compareNumbers(right, left)));
});

test('the catalogue and the table of operators say the same, where both say something', () => {
  for (const { version, operator, installs = version } of releases) {
    expect(calicoOfOperator(operator) ?? installs, operator).toBe(installs);
    const minor = calicoMinorOfOperator(operator);
    if (minor !== null) expect(version.startsWith(`v${minor}.`), operator).toBe(true);
  }
});

test('a checksum is 64 hex digits, of a path below a release; releases and files stand in order', () => {
  const versions = versionsWithFiles();
  expect(versions).toEqual(
    versions.toSorted((left, right) => compareNumbers(parseRelease(left) ?? [], parseRelease(right) ?? [])),
  );
  for (const version of versions) {
    expect(version).toMatch(/^v3\.\d+\.\d+$/);
    expect(filesOf(version)).toEqual(filesOf(version).toSorted());
    for (const name of filesOf(version)) {
      expect(name).toMatch(/^(?:[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*\.yaml$/);
      expect(checksumOf(version, name)).toMatch(/^[0-9a-f]{64}$/);
    }
  }
});

test('a release is called pinned when its files are, and then all that an installation needs is', () => {
  const known = new Set(versionsWithFiles());
  for (const version of known) {
    expect(isPinned(version), version).toBe(true);
    expect(filesOf(version)).toEqual(expect.arrayContaining([...filesOfRelease(version, 'required')]));
    expect(filesOf(version)).toContain('calico.yaml');
  }
  for (const line of new Set([...known].map((version) => version.slice(0, version.lastIndexOf('.'))))) {
    const patches = Array.from({ length: 20 }, (_, patch) => `${line}.${patch}`);
    expect(patches.filter(isPinned)).toEqual(patches.filter((version) => known.has(version)));
  }
});

test.each(['v3.33.0', 'v3.31.8', 'v3.31.07', '3.31.7', 'v3.31.7-0.dev', 'v3.31', 'v3.31.7.1', 'constructor', ''])(
  '%j is not pinned',
  (version) => {
    expect(isPinned(version)).toBe(false);
  },
);

test('what is proposed is pinned, whatever runs', () => {
  for (const { version } of [...calicoReleases, { version: 'v0.0.0' }, { version: 'v3.15.1' }]) {
    const proposed = proposedRelease(version);
    if (proposed !== null) expect(filesOf(proposed), version).toContain('tigera-operator.yaml');
  }
  for (const kubernetes of [null, ...Array.from({ length: 20 }, (_, minor) => `v1.${minor + 24}.0`)])
    expect(filesOf(releaseToInstall(kubernetes)), `${kubernetes}`).toContain('tigera-operator.yaml');
});

test('what is no release, and no file of one', () => {
  expect(checksumOf('constructor', 'name')).toBeNull();
  expect(checksumOf('v3.31.4', 'constructor')).toBeNull();
  expect(testedWithOf('v3.31.4')).toMatchObject({ from: 'v1.32', to: 'v1.35' });
  expect(testedWithOf('v3.3.1')).toBeNull();
});

const folder = process.env.SIGNALBOX_CALICO_DIR;

test.skipIf(!folder)('the files in SIGNALBOX_CALICO_DIR are the ones whose checksums are pinned', () => {
  const held = versionsWithFiles().flatMap((version) =>
    filesOf(version).flatMap((name) => {
      const path = join(folder ?? '', version, name);
      return existsSync(path) ? [{ version, name, path }] : [];
    }),
  );
  expect(held).not.toEqual([]);
  for (const { version, name, path } of held)
    expect(sha256(readFileSync(path)), `${version}/${name}`).toBe(checksumOf(version, name));
});

test.skipIf(!folder)('the operator of a release is the one in its manifest', () => {
  for (const { version, operator } of releases) {
    const path = join(folder ?? '', version, 'tigera-operator.yaml');
    if (existsSync(path)) expect(readFileSync(path, 'utf8')).toContain(`image: quay.io/tigera/operator:${operator}\n`);
  }
});
