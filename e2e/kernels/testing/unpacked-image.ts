import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';

/** By the first bytes of what is packed (Linux scripts/extract-vmlinux). lz4, which Ubuntu takes, is left as it is: it takes less than a second. */
const unpackers: Readonly<Record<string, (packed: Buffer) => Buffer>> = {
  fd377a585a00: (packed) => execFileSync('xz', ['-dc'], { input: packed, maxBuffer: 256 << 20 }),
  '28b52ffd': (packed) => zstdDecompressSync(packed),
};

/** The head of the ELF note that says where QEMU enters a kernel that is not packed: PVH, XEN_ELFNOTE_PHYS32_ENTRY. */
const entryNote = Buffer.from(['04000000', '08000000', '12000000', '58656e00'].join(''), 'hex');

/**
 * The kernel in a bzImage, unpacked into a file beside it once, 60 MB. To unpack it is most of what an emulated processor does at a boot: Debian's 6.1 took
 * 7.9 s and takes 3.5 s, 6.12 took 6.6 s and takes 4.0 s, 5.10 took 9.4 s and takes 3.2 s.
 * @returns the image itself where it is packed in another way, or QEMU could not enter what is in it
 */
export function unpackedImage(image: string): string {
  const file = join(dirname(image), `unpacked-${basename(image)}`);
  if (existsSync(file)) return file;
  const kernel = kernelIn(readFileSync(image));
  if (!kernel?.includes(entryNote)) return image;
  // Another test file may be at it too.
  const draft = mkdtempSync(join(dirname(image), 'draft-'));
  try {
    writeFileSync(join(draft, 'kernel'), kernel);
    renameSync(join(draft, 'kernel'), file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return file;
}

/** Linux Documentation/x86/boot.rst, from protocol 2.08 on. Null where it is packed in a way that is not known here. */
function kernelIn(image: Buffer): Buffer | null {
  const code = (image.readUInt8(0x1f1) + 1) * 512;
  const begin = code + image.readUInt32LE(0x248);
  // The length of what is packed stands behind it.
  const end = begin + image.readUInt32LE(0x24c) - 4;
  const packed = image.subarray(begin, end);
  const [, unpack] = Object.entries(unpackers).find(([head]) => packed.toString('hex', 0, 6).startsWith(head)) ?? [];
  if (unpack === undefined) return null;
  const kernel = unpack(packed);
  if (kernel.length !== image.readUInt32LE(end)) throw new Error(`the kernel unpacked into ${kernel.length} bytes`);
  return kernel;
}
