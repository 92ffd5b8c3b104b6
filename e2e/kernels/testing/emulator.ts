import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '#lib/release/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { unpackedImage } from './unpacked-image.ts';

const begin = '--- output';
const end = '--- exit';

/** What a script in an emulated machine ended with, and all that it wrote. */
export type Report = { readonly code: number; readonly output: string };

const machines = {
  // `max` took a fifth more time. Without `rdrand` Linux 5.4 waits for ever for random numbers.
  // A second processor took a third more, because both wait for each other. The kernel expects that one may be added, so that maps with a value for each
  // processor have two.
  amd64: {
    program: 'qemu-system-x86_64',
    args: ['-cpu', 'Nehalem,+rdrand', '-smp', '1,maxcpus=2'],
    console: 'ttyS0',
  },
  // Its way of saying which memory a program may reach (PAuth) costs an emulated processor most of its time. None can be added.
  arm64: {
    program: 'qemu-system-aarch64',
    args: ['-machine', 'virt', '-cpu', 'cortex-a72', '-smp', '2'],
    console: 'ttyAMA0',
  },
} as const;

/** Of a kernel. */
const options = [
  ...['quiet', 'panic=-1', 'rdinit=/init', 'mitigations=off'],
  // On a busy machine the timer's own test fails, after which the kernel gives up.
  'no_timer_check',
  // QEMU finds code that it has translated by its address. When each process had others, it translated bash and its libraries for each: eight times as much
  // code, and the probe on four nodes took 162 s of the processor instead of 97.
  'norandmaps',
  // Ciphers test themselves, and all pages are searched for some that are written and run: each a quarter of what booting Debian's 6.1 takes.
  ...['cryptomgr.notests', 'rodata=off'],
] as const;

export type Architecture = keyof typeof machines;

export type Machine = {
  readonly architecture?: Architecture;
  readonly image: string;
  /** Lines of busybox's shell, `$b` being busybox: what is there before the script is run. */
  readonly before: string;
  /** The script; its exit code is reported. */
  readonly run: string;
  readonly memoryMib?: number;
  readonly devices?: readonly string[];
};

/**
 * Boots a kernel with nothing but a first file system, which `fill` lays out in the folder that it is given: busybox is there already. It has no network.
 * It waits until at most one other machine runs. Rejects when it does not end within `seconds` of its own, with the machine's output.
 */
export async function boot(machine: Machine, fill: (root: string) => void, seconds: number): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-kernel-'));
  try {
    const root = join(folder, 'root');
    for (const place of ['bin', 'proc', 'sys', 'dev', 'run', 'tmp']) mkdirSync(join(root, place), { recursive: true });
    copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
    fill(root);
    const init = `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc p /proc
${machine.before}
echo '${begin}'
${machine.run}
echo "${end} $?"
$b poweroff -f
`;
    writeFileSync(join(root, 'init'), init, { mode: 0o755 });
    return reportIn(await emulated(machine, packed(folder, root), seconds));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a kernel unpacks its first file system. */
function packed(folder: string, root: string): string {
  const disk = join(folder, 'first.cpio');
  execFileSync('sh', ['-c', `cd ${shellWord(root)} && find . | busybox cpio -o -H newc >${shellWord(disk)}`], {
    stdio: 'pipe',
  });
  return disk;
}

function emulated(
  { architecture = 'amd64', image, memoryMib = 1024, devices = [] }: Machine,
  disk: string,
  seconds: number,
): Promise<string> {
  const { program, args, console } = machines[architecture];
  const all = [
    ...args,
    ...['-accel', 'tcg,thread=multi', '-m', `${memoryMib}`, '-nographic', '-no-reboot', '-net', 'none'],
    ...['-kernel', architecture === 'amd64' ? unpackedImage(image) : image, '-initrd', disk],
    ...['-append', `console=${console} ${options.join(' ')}`],
    ...devices,
  ];
  return new Promise((resolve, reject) => {
    const machine = spawn('sh', [...inTurn(), program, ...all], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let late: NodeJS.Timeout | undefined;
    for (const stream of [machine.stdout, machine.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        // It says something as soon as it is its turn.
        late ??= setTimeout(() => {
          machine.kill('SIGKILL');
          reject(new Error(`the machine did not end in ${seconds} s:\n${output.slice(-4000)}`));
        }, seconds * 1000);
      });
    machine.once('error', reject);
    machine.once('exit', (code, signal) => {
      clearTimeout(late);
      // A processor that cannot go on says nothing, nor does a machine that somebody kills.
      resolve(code === 0 ? output : `${output}\nthe emulator ended with ${signal ?? code}`);
    });
  });
}

/**
 * Arguments of sh(1) before a program that is to run while at most one other machine does, because each computes on a core of its own. The program replaces
 * the shell, and keeps one of two locks for as long as it lives. A third machine waits for the second lock.
 */
function inTurn(): string[] {
  const folder = cacheFolder(process.env);
  mkdirSync(folder, { recursive: true });
  const script = 'exec 9>"$0.1"; flock -n 9 || { exec 9>"$0.2"; flock 9; }; echo; exec "$@"';
  return ['-c', script, join(folder, 'emulator.lock')];
}

function reportIn(console: string): Report {
  const text = console.replaceAll('\r', '');
  const [, output, code] = new RegExp(`${begin}\\n([\\s\\S]*)${end} (\\d+)`).exec(text) ?? [];
  if (output === undefined) throw new Error(`the machine did not run the script:\n${text.slice(-4000)}`);
  return { code: Number(code), output };
}
