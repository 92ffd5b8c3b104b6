import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { shellWord } from '#lib/text/index.ts';
import type { DebianKernel } from './debian-kernel.ts';
import { boot, type Report } from './emulator.ts';

/** What the first file system needs before this machine's own can be seen: the rest is loaded when somebody asks for it. */
const firstModules = ['virtio_pci', '9pnet_virtio', '9p', 'overlay'];

/**
 * Runs a shell script as root on a kernel in an emulated machine, with this machine's files below it: it may write anywhere, and nothing of that stays.
 * It has no network but what it makes. Rejects when it does not end within `seconds`, with the machine's output.
 */
export async function runOnKernel({ image, modules }: DebianKernel, script: string, seconds: number): Promise<Report> {
  const loads = inOrder(modules);
  return await boot(
    {
      image,
      before: before(modules, loads.length),
      run: '$b chroot /new /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root /bin/bash /run/script',
      devices: ['-virtfs', 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap'],
    },
    (root) => {
      for (const place of ['sbin', 'm', 'host', 'up', 'new', 'lib/modules'])
        mkdirSync(join(root, place), { recursive: true });
      for (const [at, path] of loads.entries()) copyFileSync(join(modules, path), join(root, 'm', `${at}.ko`));
      writeFileSync(join(root, 'script'), script);
    },
    seconds,
  );
}

/** The kernel asks for further modules by /sbin/modprobe of the first file system, and not of ours. */
const before = (
  modules: string,
  loads: number,
) => `${Array.from({ length: loads }, (_, at) => `$b insmod /m/${at}.ko`).join('\n')}
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
$b ln -s ${shellWord(`/host${modules}`)} /lib/modules/${shellWord(basename(modules))}
$b ln -s /bin/busybox /sbin/modprobe
$b ip link set lo up
$b cp /script /new/run/script`;

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
    // A name without a module file is built into the kernel.
    if (path !== undefined) add(path);
  }
  return found;
}
