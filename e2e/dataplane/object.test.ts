import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { test as anyTest, expect, test } from 'vitest';

import { elfSection, loadDataPlane } from '#lib/node/bpf/index.ts';
import { bytecodeImage } from '../../scripts/bpf/bytecode-image.ts';
import {
  built,
  checkFormat,
  compileObject,
  hashOfSources,
  lackingCompiler,
  lackingFormatter,
  mostInstructions,
} from '../../scripts/bpf/object.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';

/** The object that comes with the package. */
const object = readFileSync(built.object);

test('the object is made of the sources beside it: else run npm run bpf', () => {
  const sha256 = createHash('sha256').update(object).digest('hex');
  expect(JSON.parse(readFileSync(built.manifest, 'utf8'))).toMatchObject({ sources: hashOfSources(), object: sha256 });
});

anyTest.runIf(lackingFormatter() === null)('the sources are formatted as bpf/.clang-format says', () => {
  expect(() => checkFormat()).not.toThrow();
});

anyTest.runIf(lackingCompiler() === null)('to build it again, twice, makes the same bits', () => {
  expect(compileObject().equals(object)).toBe(true);
  expect(compileObject().equals(object)).toBe(true);
});

anyTest.runIf(lackingCompiler() === null)(
  'its image is the same bits each time, and for either architecture the object and what it needs',
  async () => {
    const files = await bytecodeImage(object);
    expect([...(await bytecodeImage(object))]).toEqual([...files]);
    type Descriptor = {
      readonly digest: string;
      readonly size: number;
      readonly platform?: { readonly architecture: string };
    };
    const blob = ({ digest, size }: Descriptor): Buffer => {
      const bytes = files.get(`blobs/${digest.replace(':', '/')}`) ?? Buffer.alloc(0);
      expect([bytes.length, `sha256:${createHash('sha256').update(bytes).digest('hex')}`]).toEqual([size, digest]);
      return bytes;
    };
    const read = (bytes: Buffer | undefined) => JSON.parse(String(bytes));
    const [index] = read(files.get('index.json')).manifests;
    const manifests: Descriptor[] = read(blob(index)).manifests;
    expect(manifests.map(({ platform }) => platform?.architecture)).toEqual(['amd64', 'arm64']);
    for (const one of manifests) {
      const { config, layers } = read(blob(one));
      const { architecture, config: about, rootfs } = read(blob(config));
      const layer = gunzipSync(blob(layers[0]));
      expect([architecture, layers.length]).toEqual([one.platform?.architecture, 1]);
      expect(rootfs.diff_ids).toEqual([`sha256:${createHash('sha256').update(layer).digest('hex')}`]);
      // The first file, behind its header of a block: bpfman reads no other.
      expect(layer.subarray(512, 512 + object.length).equals(object)).toBe(true);
      const labels = Object.fromEntries(Object.entries(about.Labels).map(([name, value]) => [name, String(value)]));
      expect(JSON.parse(labels['io.ebpf.programs'] ?? '')).toMatchObject({
        connect4: 'cgroup_sock_addr',
        incoming: 'tc',
      });
      expect(JSON.parse(labels['io.ebpf.maps'] ?? '')).toMatchObject({ services: 'hash', routes: 'lpm_trie' });
      expect(String(layer)).toContain('"bpf_redirect_peer"');
    }
  },
);

test('it has no section that libbpf 1.1 cannot create before Linux 5.5', () => {
  expect(['.rodata', '.data', '.bss'].filter((name) => (elfSection(object, name)?.length ?? 0) > 0)).toEqual([]);
});

anyTest.runIf(canRunPrograms)('this kernel verifies every program within 60 % of what it may take', () => {
  const { verified, close } = loadDataPlane({ pins: null });
  close();
  expect(Object.entries(verified).filter(([, count]) => !(count > 0 && count <= mostInstructions))).toEqual([]);
});
