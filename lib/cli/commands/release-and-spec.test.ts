import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf } from '#lib/release/index.ts';
import type { Command } from '../command.ts';
import { runCommand } from '../testing/run-command.ts';
import { release } from './release.ts';
import { spec } from './spec.ts';

const run = (command: Command, ...argv: string[]) => runCommand(command, argv, 80);

test('release show tells what is known of it, in 80 columns but for checksums', async () => {
  const { code, out } = await run(release, 'show', '3.31.4');
  expect(code).toBe(0);
  expect(out).toMatch(/Operator: +v1\.40\.7/);
  expect(out).toContain('  V1  hop');
  expect(out).toContain('  custom-resources-bpf.yaml');
  const beforeFiles = out.split('\nFiles')[0] ?? '';
  expect(beforeFiles.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('release show as data has the address of each file', async () => {
  const { out } = await run(release, 'show', 'v3.31.4', '-o', 'json');
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Release',
    version: 'v3.31.4',
    testedWith: { from: 'v1.32' },
    files: expect.arrayContaining([
      {
        name: 'tigera-operator.yaml',
        address: 'https://raw.githubusercontent.com/projectcalico/calico/v3.31.4/manifests/tigera-operator.yaml',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]),
  });
});

test('release list has every release', async () => {
  const { out } = await run(release, 'list', '-o', 'json');
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Releases',
    releases: expect.arrayContaining([
      expect.objectContaining({ version: 'v3.30.7', files: filesOf('v3.30.7').length }),
    ]),
  });
  expect((await run(release, 'list')).out.split('\n')[0]).toMatch(/^VERSION +OPERATOR +TESTED WITH +PINNED +STANDING$/);
});

test.each([
  ['platforms', 14],
  ['kernels', 2],
  ['gates', 22],
  ['features', 9],
  ['releases', 50],
])('spec %s has %i rows, each with its source and date', async (name, count) => {
  const data: Record<string, unknown> = JSON.parse((await run(spec, name, '-o', 'json')).out);
  expect(data[name]).toHaveLength(count);
  expect(data[name]).toEqual(
    Array.from({ length: count }, () =>
      expect.objectContaining({
        source: expect.stringMatching(/./),
        read: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      }),
    ),
  );
  expect((await run(spec, name)).out.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each(['platforms', 'kernels', 'gates', 'features', 'releases'])(
  'spec %s -o markdown is the page that is checked in',
  async (name) => {
    const { out } = await run(spec, name, '-o', 'markdown');
    expect(out).toBe(readFileSync(join(import.meta.dirname, `../../../docs/reference/${name}.md`), 'utf8'));
  },
);

test('patterns reach JSON as text, and what is unknown with how to find it out', async () => {
  expect(JSON.parse((await run(spec, 'kernels', '-o', 'json')).out)).toMatchObject({
    systems: expect.arrayContaining([
      expect.objectContaining({ id: 'ubuntu', pattern: expect.stringMatching(/Ubuntu/) }),
    ]),
  });
  expect(JSON.parse((await run(spec, 'platforms', '-o', 'json')).out)).toMatchObject({
    signs: expect.arrayContaining([expect.objectContaining({ sign: 'API group `config.openshift.io`' })]),
    guides: expect.arrayContaining([
      expect.objectContaining({ id: 'rancher', createFlags: { unknown: expect.stringMatching(/./) } }),
    ]),
  });
  expect((await run(spec, 'releases')).out).toMatch(/^v3\.33\.0 +unknown +v1\.35 to v1\.37$/m);
});

test.each([
  [release, ['show'], /^release: one of `list`, `show V`/],
  [
    release,
    ['show', 'v9'],
    'VERSION: Signalbox has no record of release "v9". `signalbox release list` lists those that can be installed',
  ],
  [release, ['show', '3.31.44'], /^VERSION: .*"3\.31\.44"\. Did you mean v3\.31\.4\? `signalbox release list`/],
  [
    release,
    ['list', '--kubernetes', 'x'],
    '--kubernetes: "x" is not a version of Kubernetes; write it as v1.34 or v1.34.2',
  ],
  [release, ['show', 'v3.31.4', '--kubernetes', 'soon'], /^--kubernetes: "soon" is not a version/],
  [release, ['list', '-o', 'junit'], '-o: "junit" is not one of table, json, yaml'],
  [spec, [], 'spec: one of platforms, kernels, gates, features, releases is needed'],
  [spec, ['gate'], /is not one of .*; did you mean gates\?$/],
  [spec, ['constructor'], /^spec: "constructor" is not one of/],
])('$0.name $1 is refused with exit 2', async (command, argv, message) => {
  await expect(run(command, ...argv)).rejects.toMatchObject({
    exitCode: 2,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});
