import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { shellWord } from '#lib/text/index.ts';
import type { DebianKernel } from './debian-kernel.ts';

/** What the first file system needs before this machine's own can be seen: the rest is loaded when somebody asks for it. */
const firstModules = ['virtio_pci', '9pnet_virtio', '9p', 'overlay'];

const begin = '--- output';
const end = '--- exit';

/**
 * Runs a shell script as root on a kernel in an emulated machine, with this machine's files below it: it may write anywhere, and nothing of that stays.
 * It has no network but what it makes. Rejects when it does not end within `seconds`, with all that the machine said.
 */
export async function runOnKernel(
  { image, modules }: DebianKernel,
  script: string,
  seconds: number,
): Promise<{ readonly code: number; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-kernel-'));
  try {
    const disk = firstFileSystem(folder, modules, script);
    const said = await emulated(
      [
        ...machineOf(image, disk),
        ...['-virtfs', 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap'],
      ],
      seconds,
    );
    return reportIn(said);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Has the verifier of a kernel look at every program of a BPF object, in an emulated machine that has nothing but bpftool: it takes no module. The output is its
 * version, what bpftool said, and the names of what was loaded.
 */
export async function loadOnKernel(image: string, object: string, seconds: number): ReturnType<typeof runOnKernel> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-kernel-'));
  try {
    const root = join(folder, 'root');
    for (const place of ['bin', 'proc', 'sys']) mkdirSync(join(root, place), { recursive: true });
    copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
    copyFileSync(object, join(root, 'object'));
    const bpftool = execFileSync('sh', ['-c', 'readlink -f "$(command -v bpftool)"'], { encoding: 'utf8' }).trim();
    copyFileSync(bpftool, join(root, 'bin/bpftool'));
    // Each by the path where the loader looks: `libelf.so.1 => /lib/… (0x…)`, and the loader itself.
    for (const [, library = ''] of execFileSync('ldd', [bpftool], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      copyFileSync(library, join(root, library));
    }
    const init = `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc p /proc
$b mount -t sysfs s /sys
$b mount -t bpf b /sys/fs/bpf
$b mkdir /sys/fs/bpf/loaded
echo '${begin}'
$b uname -r
/bin/bpftool prog loadall /object /sys/fs/bpf/loaded 2>&1
code=$?
$b ls /sys/fs/bpf/loaded
echo "${end} $code"
$b poweroff -f
`;
    writeFileSync(join(root, 'init'), init, { mode: 0o755 });
    return reportIn(await emulated(machineOf(image, packed(folder, root)), seconds));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const machineOf = (image: string, disk: string) => [
  ...[
    '-accel',
    'tcg,thread=multi',
    '-cpu',
    'max',
    '-m',
    '1024',
    '-smp',
    '2',
    '-nographic',
    '-no-reboot',
    '-net',
    'none',
  ],
  ...['-kernel', image, '-initrd', disk, '-append', 'console=ttyS0 quiet panic=-1 rdinit=/init'],
];

function reportIn(said: string): { readonly code: number; readonly output: string } {
  const text = said.replaceAll('\r', '');
  const [, output, code] = new RegExp(`${begin}\\n([\\s\\S]*)${end} (\\d+)`).exec(text) ?? [];
  if (output === undefined) throw new Error(`the machine did not run the script:\n${text.slice(-4000)}`);
  return { code: Number(code), output };
}

/** An archive with busybox, the first modules and what to do. The kernel asks for further modules by /sbin/modprobe of this one, and not of ours. */
function firstFileSystem(folder: string, modules: string, script: string): string {
  const root = join(folder, 'root');
  for (const place of ['bin', 'sbin', 'm', 'proc', 'host', 'up', 'new', 'lib/modules'])
    mkdirSync(join(root, place), { recursive: true });
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  const loads = inOrder(modules).map((path, at) => {
    copyFileSync(join(modules, path), join(root, 'm', `${at}.ko`));
    return `$b insmod /m/${at}.ko`;
  });
  writeFileSync(join(root, 'script'), script);
  const kernel = basename(modules);
  const init = `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc p /proc
${loads.join('\n')}
$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=262144,cache=loose host /host
$b mount -t tmpfs -o size=512m up /up
$b mkdir /up/upper /up/work
$b mount -t overlay -o lowerdir=/host,upperdir=/up/upper,workdir=/up/work over /new
$b mount -t proc p /new/proc
$b mount -t sysfs s /new/sys
$b mount -t devtmpfs d /new/dev
$b ln -s /proc/self/fd /new/dev/fd
$b mkdir -p /new/dev/pts
$b mount -t devpts p /new/dev/pts
$b mount -t tmpfs t /new/run
$b mount -t bpf b /new/sys/fs/bpf
$b mount -t cgroup2 c /new/sys/fs/cgroup
$b ln -s ${shellWord(`/host${modules}`)} /lib/modules/${shellWord(kernel)}
$b ln -s /bin/busybox /sbin/modprobe
$b ip link set lo up
$b cp /script /new/run/script
echo '${begin}'
$b chroot /new /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root /bin/bash /run/script
echo "${end} $?"
$b poweroff -f
`;
  writeFileSync(join(root, 'init'), init, { mode: 0o755 });
  return packed(folder, root);
}

/** As a kernel unpacks its first file system. */
function packed(folder: string, root: string): string {
  const disk = join(folder, 'first.cpio');
  execFileSync('sh', ['-c', `cd ${shellWord(root)} && find . | busybox cpio -o -H newc >${shellWord(disk)}`], {
    stdio: 'pipe',
  });
  return disk;
}

/** Paths of the first modules and of all that they need, each after what it needs. */
function inOrder(modules: string): string[] {
  const needs = new Map(
    readFileSync(join(modules, 'modules.dep'), 'utf8')
      .split('\n')
      .filter((line) => line.includes(':'))
      .map((line) => {
        const [path = '', rest = ''] = line.split(':');
        return [path, rest.split(' ').filter(Boolean)] as const;
      }),
  );
  const found: string[] = [];
  const add = (path: string) => {
    if (found.includes(path)) return;
    for (const one of needs.get(path) ?? []) add(one);
    found.push(path);
  };
  for (const name of firstModules) {
    const path = [...needs.keys()].find((one) => one.endsWith(`/${name}.ko`));
    // What is no module is in the kernel itself.
    if (path !== undefined) add(path);
  }
  return found;
}

function emulated(args: readonly string[], seconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const machine = spawn('qemu-system-x86_64', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [machine.stdout, machine.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const late = setTimeout(() => {
      machine.kill('SIGKILL');
      reject(new Error(`the machine did not end in ${seconds} s:\n${said.slice(-4000)}`));
    }, seconds * 1000);
    machine.once('error', reject);
    machine.once('exit', () => {
      clearTimeout(late);
      resolve(said);
    });
  });
}
