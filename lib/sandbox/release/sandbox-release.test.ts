import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { sandboxRelease } from './sandbox-release.ts';

const folder = process.env.SIGNALBOX_CALICO_DIR;
const known = folder && existsSync(join(folder, 'v3.31.4')) ? folder : null;

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

function published(version: string, file: string) {
  const text = readFileSync(join(known ?? '', version, file), 'utf8');
  return parseAllDocuments(text).flatMap((document) => {
    const parsed = object.safeParse(document.toJS());
    return parsed.success ? [parsed.data] : [];
  });
}

const idOf = ({ apiVersion, kind, metadata }: z.infer<typeof object>) =>
  `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

const published31 = [
  'operator-crds.yaml',
  'tigera-operator.yaml',
  'custom-resources.yaml',
  'custom-resources-bpf.yaml',
];
const byManifest = ['calico.yaml', 'calico-etcd.yaml', 'canal.yaml'];

const deployment = z.object({
  spec: z.object({
    replicas: z.number(),
    selector: z.unknown(),
    template: z.object({ metadata: z.unknown(), spec: z.unknown() }),
  }),
});

describe.skipIf(known === null).each([
  ['v3.31.4', [...published31, ...byManifest]],
  ['v3.30.7', ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml', ...byManifest]],
  ['v3.27.5', ['tigera-operator.yaml']],
])('%s has what the published files have', (version, files) => {
  const made = sandboxRelease(version).manifests;

  test.each(files.filter((file) => version !== 'v3.27.5' || file !== 'tigera-operator.yaml'))(
    '%s: the same objects',
    (file) => {
      const ids = (made[file]?.objects ?? []).map((each) => idOf(object.parse(each)));
      expect(ids.toSorted()).toEqual(published(version, file).map(idOf).toSorted());
    },
  );

  test('the same Deployment: image, arguments, environment, network, DNS', () => {
    const ours = made['tigera-operator.yaml']?.objects.find(({ kind }) => kind === 'Deployment');
    const theirs = published(version, 'tigera-operator.yaml').find(({ kind }) => kind === 'Deployment');
    // The one of v3.27 has fewer fields: no managing of CRDs, no grace period.
    if (version === 'v3.27.5') expect(JSON.stringify(theirs)).toContain(sandboxRelease(version).operator);
    else expect(deployment.parse(ours)).toEqual(deployment.parse(theirs));
  });
});

test.skipIf(known === null)('custom resources say the same, field by field', () => {
  const made = sandboxRelease('v3.31.4').manifests;
  for (const file of ['custom-resources.yaml', 'custom-resources-bpf.yaml'])
    expect(made[file]?.objects).toEqual(published('v3.31.4', file));
});

test('the order of CRDs before the operator before custom resources is that of the files; eBPF came with v3.31', () => {
  expect(Object.keys(sandboxRelease('v3.31.4').manifests)).toEqual([
    'operator-crds.yaml',
    'tigera-operator.yaml',
    'custom-resources.yaml',
    'custom-resources-bpf.yaml',
    ...byManifest,
    'ocp',
    'tigera-operator-ocp-upgrade.yaml',
  ]);
  expect(Object.keys(sandboxRelease('v3.30.7').manifests)).not.toContain('custom-resources-bpf.yaml');
  expect(Object.keys(sandboxRelease('v3.27.5').manifests)).not.toContain('operator-crds.yaml');
});

test('the hash is that of the content: the same each time, another for another release', () => {
  const hash = (version: string) => sandboxRelease(version).manifests['tigera-operator.yaml']?.sha256;
  expect(hash('v3.31.4')).toMatch(/^[0-9a-f]{64}$/);
  expect(hash('v3.31.4')).toBe(hash('v3.31.4'));
  expect(hash('v3.31.4')).not.toBe(hash('v3.30.7'));
});

test('a release that nobody knows is refused by name', () => {
  expect(() => sandboxRelease('v9.9.9')).toThrow('v9.9.9');
});
