import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { release } from '../commands/release.ts';
import { parseFlags } from '../flags.ts';
import { plain } from '../terminal/terminal.ts';

const calico = process.env.SIGNALBOX_CALICO_DIR ?? '';
let folder: string;

beforeAll(() => {
  folder = testFolder('cli-release');
});

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const { args, flags } = parseFlags(argv, release.flags);
  const code = await release.run({
    args,
    flags,
    env: { SIGNALBOX_CACHE: join(folder, 'cache'), SIGNALBOX_CALICO_DIR: calico },
    signal: new AbortController().signal,
    terminal: {
      out: (text) => {
        output.out += `${text}\n`;
      },
      err: (text) => {
        output.err += `${text}\n`;
      },
      isTerminal: false,
      canAsk: false,
      columns: 80,
      paint: plain,
      verbosity: 'normal',
      ask: async () => '',
    },
  });
  return { code, ...output };
}

test('images, as published and as a mirror has them; nothing is dialled', async () => {
  const { code, out } = await run(
    'images',
    '3.31.4',
    '--registry',
    'mirror.example/',
    '--image-path',
    'net',
    '-o',
    'json',
  );
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    kind: 'ReleaseImages',
    release: 'v3.31.4',
    missing: expect.stringContaining('--print-images=list'),
    images: expect.arrayContaining([
      expect.objectContaining({
        image: 'quay.io/calico/node:v3.31.4',
        as: 'mirror.example/net/node:v3.31.4',
        certainty: 'read',
      }),
    ]),
  });
  expect((await run('images', 'v3.31.4')).out.split('\n')[0]).toMatch(/^IMAGE +NEEDED BY$/);
});

test.each([
  [['images', 'v3.31.4', '--registry', 'mirror.example'], /^--registry: "mirror\.example" needs a slash at its end/],
  [['images', 'v3.31.4', '--image-prefix', 'a b'], /^--image-prefix: /],
  [['frobnicate'], /^release: one of `list`/],
  [['show'], /^release: one of `list`/],
  [['diff', 'v3.31.4'], /^release: one of `list`/],
  [['list', 'v3.31.4'], /^release: one of `list`/],
])('%j is refused', async (argv, says) => {
  await expect(run(...argv)).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(says) });
});

test.skipIf(!calico)('fetch, then verify what was brought; an edited file is found out', async () => {
  const to = join(folder, 'brought here');
  const fetched = await run('fetch', 'v3.31.4', '--to', to);
  expect(fetched.out.trim().split('\n')).toHaveLength(5);
  expect(fetched.err).toContain(`--source '${to}'`);
  expect(await readFile(join(to, 'v3.31.4/SHA256SUMS'), 'utf8')).toContain(
    '44cbcccdfb9e05c5863247d61e7fd9cf83baf7dc2abacf0c04921d8080a863aa  tigera-operator.yaml\n',
  );
  const good = await run('verify', 'v3.31.4', '--source', to, '--air-gapped');
  expect(good.code).toBe(0);
  expect(good.out).toMatch(/tigera-operator\.yaml +7 +as published/);
  const path = join(to, 'v3.31.4/custom-resources.yaml');
  await writeFile(path, '# edited\n', { flag: 'a' });
  const edited = await run('verify', 'v3.31.4', '--source', to, '-o', 'json');
  expect(edited.code).toBe(3);
  expect(JSON.parse(edited.out)).toMatchObject({
    kind: 'ReleaseVerification',
    files: expect.arrayContaining([
      expect.objectContaining({
        file: 'custom-resources.yaml',
        standing: 'other',
        expected: '4fb598a7fce1ad1f8bbfb9004f5efcdb835082e92e06323cb7b8ce60260ed891',
      }),
    ]),
  });
});

test.skipIf(!calico)('render: as published, or with every image in the mirror', async () => {
  const published = await run('render', 'v3.31.4', '--file', 'custom-resources.yaml');
  expect(published.out).toBe(`---\n${await readFile(join(calico, 'v3.31.4/custom-resources.yaml'), 'utf8')}`);
  const { out } = await run(
    'render',
    'v3.31.4',
    '--file',
    'tigera-operator.yaml',
    '--registry',
    'mirror.example/',
    '--pull-secret',
    'pull',
  );
  const objects = parseAllDocuments(out).map((document) => document.toJS() as Record<string, unknown> | null);
  expect(objects.filter((object) => object?.kind === 'Deployment')).toEqual([
    expect.objectContaining({
      spec: expect.objectContaining({
        template: expect.objectContaining({
          spec: expect.objectContaining({
            imagePullSecrets: [{ name: 'pull' }],
            containers: [expect.objectContaining({ image: 'mirror.example/tigera/operator:v1.40.7' })],
          }),
        }),
      }),
    }),
  ]);
  const customs = await run('render', 'v3.31.4', '--file', 'custom-resources.yaml', '--registry', 'mirror.example/');
  expect(customs.out).toContain('registry: mirror.example/');
  await expect(run('render', 'v3.31.4', '--file', 'no.yaml')).rejects.toMatchObject({ exitCode: 2 });
});

test.skipIf(!calico)('diff names what an upgrade brings', async () => {
  const { out } = await run('diff', 'v3.30.7', 'v3.31.4', '-o', 'json');
  const { objects, images, operator } = JSON.parse(out);
  expect(operator).toEqual({ from: 'v1.38.13', to: 'v1.40.7' });
  expect(images.added).toContain('quay.io/calico/node:v3.31.4');
  const installations = objects.changed.find(({ object }: { object: string }) =>
    object.endsWith(' installations.operator.tigera.io'),
  );
  expect(installations.fields.added).toContain('spec.calicoNetwork.bpfNetworkBootstrap');
  expect(installations.fields.added).toContain('spec.calicoNetwork.kubeProxyManagement');
});
