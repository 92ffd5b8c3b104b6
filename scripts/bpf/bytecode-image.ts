import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { elfSection, helperCalls, interfacePrograms, mapShapes, plainer, socketHooks } from '#lib/node/bpf/index.ts';

/** The folder of the image that `npm run bpf` writes; `skopeo copy --all oci:dist/bytecode docker://…` uploads it. */
export const imageFolder = join(import.meta.dirname, '../../dist/bytecode');

const file = 'signalbox.bpf.o';
const tag = 'bytecode';

const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

/** Both are little-endian, so that one object runs on both. */
const architectures = ['amd64', 'arm64'] as const;

/** The values of enum bpf_map_type (linux/bpf.h) that our object uses. */
const mapTypes: Readonly<Record<number, string>> = {
  1: 'hash',
  2: 'array',
  6: 'per_cpu_array',
  9: 'lru_hash',
  11: 'lpm_trie',
};

/** The programs by their names in the object. */
const programs = [
  ...Object.keys(socketHooks).map((name) => ({ name, type: 'cgroup_sock_addr', section: `cgroup/${name}` })),
  ...Object.entries(plainer).map(([name, { inC }]) => ({
    name: inC,
    type: 'cgroup_sock_addr',
    section: `cgroup/${name}`,
  })),
  ...interfacePrograms.map((name) => ({ name, type: 'tc', section: 'tc' })),
];

/**
 * The *bytecode image* of an object: the files of an OCI image layout by their paths (image-spec › image-layout.md). Its only layer holds the object,
 * followed by `needs.json`. bpfman reads the labels and takes the layer's first file as the object (docs/developer-guide/shipping-bytecode.md,
 * oci_utils/image_manager.rs). The image contains no time and no name of a machine, so that the same object gives the same bits.
 */
export async function bytecodeImage(object: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const blob = (mediaType: string, bytes: Buffer) => {
    const digest = sha256(bytes);
    files.set(`blobs/sha256/${digest}`, bytes);
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
  };
  const layer = await tarOf([
    [file, object],
    ['needs.json', json(needsOf(object))],
  ]);
  const labels = labelsOf(object);
  const layers = [blob(mediaTypes.layer, gzipSync(layer, { level: 9 }))];
  const manifests = architectures.map((architecture) => {
    const platform = { architecture, os: 'linux' };
    const rootfs = { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] };
    const config = blob(mediaTypes.config, json({ ...platform, config: { Labels: labels }, rootfs }));
    const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers };
    return { ...blob(mediaTypes.manifest, json(manifest)), platform };
  });
  const index = (all: readonly object[]) => json({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: all });
  const named = { annotations: { 'org.opencontainers.image.ref.name': tag } };
  files.set('index.json', index([{ ...blob(mediaTypes.index, index(manifests)), ...named }]));
  files.set('oci-layout', json({ imageLayoutVersion: '1.0.0' }));
  return files;
}

function mapsOf(object: Buffer): Record<string, string> {
  return Object.fromEntries(
    [...mapShapes(sectionOf(object, '.BTF'))].map(([name, { type }]) => {
      const known = mapTypes[type];
      if (known === undefined) throw new Error(`${name} is a map of type ${type}, which has no name here.`);
      return [name, known];
    }),
  );
}

function labelsOf(object: Buffer): Record<string, string> {
  const types = Object.fromEntries(programs.map(({ name, type }) => [name, type]));
  return {
    'io.ebpf.filename': file,
    'io.ebpf.maps': JSON.stringify(mapsOf(object)),
    'io.ebpf.programs': JSON.stringify(types),
  };
}

/** The kernel's helpers and map types that the programs need. No version of a kernel is required. */
function needsOf(object: Buffer) {
  const names = helperNames();
  return {
    maps: [...new Set(Object.values(mapsOf(object)))].sort(),
    programs: programs.map((one) => ({
      ...one,
      helpers: helpersIn(codeOf(object, one)).map((number) => names[number] ?? String(number)),
    })),
  };
}

function sectionOf(object: Buffer, name: string): Buffer {
  const found = elfSection(object, name);
  if (!found) throw new Error(`The object has no section ${name}.`);
  return Buffer.from(found);
}

/** The instructions of a program, found by its symbol. ELF64 symbols have 24 bytes; the lower half of the fifth byte is 2 for a function. */
function codeOf(object: Buffer, { name, section }: (typeof programs)[number]): Buffer {
  const [symbols, texts, code] = ['.symtab', '.strtab', section].map((one) => sectionOf(object, one)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  for (let at = 0; at < symbols.length; at += 24) {
    const text = symbols.readUInt32LE(at);
    if ((symbols.readUInt8(at + 4) & 15) !== 2 || texts.toString('latin1', text, texts.indexOf(0, text)) !== name)
      continue;
    const [start, length] = [8, 16].map((field) => Number(symbols.readBigUInt64LE(at + field)));
    return code.subarray(start, (start ?? 0) + (length ?? 0));
  }
  throw new Error(`The object has no program ${name}.`);
}

/** The numbers of the helpers that instructions call. */
function helpersIn(code: Buffer): number[] {
  return [...new Set(helperCalls(code).map(({ id }) => id))].sort((a, b) => a - b);
}

/** Names of helpers by their numbers, from the header that the object is compiled with. */
function helperNames(): readonly string[] {
  const header = readFileSync('/usr/include/linux/bpf.h', 'utf8');
  const mapper = header.slice(header.search(/#define _+BPF_FUNC_MAPPER\(FN/));
  return [...mapper.matchAll(/^\s+FN\((\w+)/gm)].map(([, name = '']) => `bpf_${name}`);
}

async function tarOf(files: readonly (readonly [name: string, bytes: Buffer])[]): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of files) archive.entry({ name, mode: 0o644, mtime: new Date(0) }, bytes);
  archive.finalize();
  return await buffer(archive);
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
