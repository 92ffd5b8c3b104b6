import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'bpf');

/** Paths of the object that comes with the package, and of the record of its sources. */
export const built = {
  object: join(folder, 'built/signalbox.bpf.o'),
  manifest: join(folder, 'built/manifest.json'),
} as const;

/** Most instructions that the verifier may process for a program on the building kernel. The limit is a million (Linux 5.2), and older kernels need more (bpf/README.md). */
export const mostInstructions = 600_000;

/** The only compiler for the checked-in object: others produce other bits, and some produce code that verifiers refuse (LLVM 21 inserts traps). */
const compiler = { program: 'clang-14', strip: 'llvm-strip-14', version: /clang version 14\.0\.6\b/ } as const;

/** Null if the compiler is installed, else a sentence that names the packages to install. */
export function lackingCompiler(): string | null {
  const { stdout } = spawnSync(compiler.program, ['--version'], { encoding: 'utf8' });
  const hasStrip = spawnSync(compiler.strip, ['--version']).status === 0;
  if (compiler.version.test(stdout ?? '') && hasStrip) return null;
  return "To build the programs takes Debian 12's clang-14, llvm-14 and libbpf-dev; the object that comes with the package needs none of them.";
}

/** Every version formats in its own way, so that this one alone counts. */
const formatter = 'clang-format-14';

/** Null if the formatter is installed, else the package to install. */
export function lackingFormatter(): string | null {
  return spawnSync(formatter, ['--version']).status === 0 ? null : formatter;
}

/** @throws with the first differences, if a source is not formatted as bpf/.clang-format says */
export function checkFormat(): void {
  execFileSync(formatter, ['--dry-run', '-Werror', ...sourceNames()], { cwd: folder, stdio: 'pipe' });
}

/** The hash over names and contents of all sources, which shows whether an object is older than its sources. */
export function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const name of sourceNames())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0');
  return hash.digest('hex');
}

const sourceNames = () =>
  readdirSync(folder)
    .filter((name) => /\.[ch]$/.test(name))
    .sort();

/**
 * Compiles the object. One object serves x86-64 and arm64, because both are little-endian and the programs read no internal structures of the kernel.
 * Names and paths of this machine are left out, so that two builds give the same bits.
 * @throws with the compiler's output, or with the sections that the object must not have
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
    // Removes DWARF only. BTF stays: the agent reads it, and the kernel shows its source lines in verifier logs.
    execFileSync(compiler.strip, ['--strip-debug', object]);
    return readFileSync(object);
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}
