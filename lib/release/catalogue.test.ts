import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  calicoMinorOfOperator,
  calicoOfOperator,
  calicoReleases,
  compareNumbers,
  parseRelease,
  testedWithOf,
} from '#lib/spec/index.ts';
import { releases } from './catalogue.ts';
import { checksumOf, filesOf, versionsWithFiles } from './checksums.ts';
import { sha256 } from './kept-files.ts';

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

test('every release whose files are pinned is in the catalogue', () => {
  for (const version of versionsWithFiles()) {
    expect(releases.map((release) => release.version)).toContain(version);
    expect(filesOf(version)).toContain('tigera-operator.yaml');
  }
});

test('what is no release, and no file of one', () => {
  expect(checksumOf('constructor', 'name')).toBeNull();
  expect(checksumOf('v3.31.4', 'constructor')).toBeNull();
  expect(testedWithOf('v3.31.4')).toMatchObject({ from: 'v1.32', to: 'v1.35' });
  expect(testedWithOf('v3.3.1')).toBeNull();
});

const folder = process.env.SIGNALBOX_CALICO_DIR;

test.skipIf(!folder)('the files in SIGNALBOX_CALICO_DIR are the ones whose checksums are pinned', () => {
  for (const version of versionsWithFiles()) {
    for (const name of filesOf(version)) {
      const bytes = readFileSync(join(folder ?? '', version, name));
      expect(sha256(bytes), `${version}/${name}`).toBe(checksumOf(version, name));
    }
  }
});

test.skipIf(!folder)('the operator of a release is the one in its manifest', () => {
  for (const version of versionsWithFiles()) {
    const manifest = readFileSync(join(folder ?? '', version, 'tigera-operator.yaml'), 'utf8');
    expect(manifest).toContain(`image: quay.io/tigera/operator:${operatorOf(version)}\n`);
  }
});

function operatorOf(version: string): string | undefined {
  return releases.find((release) => release.version === version)?.operator;
}
