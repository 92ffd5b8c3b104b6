import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'bpf');

/** Where the object that comes with the package stands, and what it was made of. */
export const built = {
  object: join(folder, 'built/signalbox.bpf.o'),
  manifest: join(folder, 'built/manifest.json'),
} as const;

/** Of the million instructions that the verifier goes through (Linux 5.2), what a program may take of it on the kernel that builds; older ones take more (bpf/README.md). */
export const mostInstructions = 600_000;

/** Another compiler makes other bits, and some make what a verifier refuses (LLVM 21 puts traps in): this one alone builds what is checked in. */
const compiler = { program: 'clang-14', strip: 'llvm-strip-14', version: /clang version 14\.0\.6\b/ } as const;

/** Whether the compiler is there; null, or the sentence that says what to install. */
export function lackingCompiler(): string | null {
  const { stdout } = spawnSync(compiler.program, ['--version'], { encoding: 'utf8' });
  const hasStrip = spawnSync(compiler.strip, ['--version']).status === 0;
  if (compiler.version.test(stdout ?? '') && hasStrip) return null;
  return "To build the programs takes Debian 12's clang-14, llvm-14 and libbpf-dev; the object that comes with the package needs none of them.";
}

/** Of every source, by name: tells whether an object is older than what it is made of. */
export function hashOfSources(): string {
  const names = readdirSync(folder)
    .filter((name) => /\.[ch]$/.test(name))
    .sort();
  const hash = createHash('sha256');
  for (const name of names)
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Compiles the one object. Little-endian BPF is the same for x86-64 and arm64, and no structure of a kernel's inside is read: one object does for both.
 * Everything that names this machine is left out, so that two builds are the same bits.
 * @throws what the compiler says, or the sections that must not be in it
 */
export function compileObject(): Buffer {
  const into = mkdtempSync(join(tmpdir(), 'signalbox-bpf-'));
  const object = join(into, 'signalbox.bpf.o');
  try {
    const headers = execFileSync('gcc', ['-print-multiarch'], { encoding: 'utf8' }).trim();
    execFileSync(
      compiler.program,
      [
        ...['-target', 'bpfel', '-mcpu=v2', '-O2', '-g', '-Wall', '-Wextra', '-Werror', '-std=gnu11'],
        ...['-fdebug-compilation-dir=.', '-fno-ident', '-idirafter', `/usr/include/${headers}`],
        ...['-c', 'bpf/signalbox.bpf.c', '-o', object],
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    // Only DWARF goes; the agent reads BTF, and the kernel shows its lines.
    execFileSync(compiler.strip, ['--strip-debug', object]);
    return readFileSync(object);
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}
