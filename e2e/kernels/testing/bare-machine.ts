import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { boot, type Report } from './emulator.ts';
import type { OtherKernel } from './other-kernels.ts';

const project = join(import.meta.dirname, '../../..');
const object = 'bpf/built/signalbox.bpf.o';
const koffi = join(project, 'node_modules/@koromix/koffi-linux-x64/linux_x64/koffi.node');

const mounts = `$b mount -t sysfs s /sys
$b mount -t devtmpfs d /dev
$b mount -t bpf b /sys/fs/bpf`;

/** What scripts of ours and the data plane's topology call by name, and busybox has. */
const ofBusybox = ['sh', 'cat', 'mount', 'umount', 'sysctl'];

/**
 * Runs a script of ours by this Node on a kernel, in an emulated machine that has nothing else but `ip`, libbpf and busybox. No disk and no module of the kernel
 * is needed for that. Rejects when it does not end within `seconds`, with all that the machine said.
 * @param kernel with the files of modules that are loaded before
 * @param scripts the one that is run, and others that it starts by their names, beside it
 */
export async function runNodeOnKernel(
  { image, modules }: Pick<OtherKernel, 'image' | 'modules'>,
  scripts: readonly [string, ...string[]],
  seconds: number,
): Promise<Report> {
  const files = await Promise.all(scripts.map(async (path) => [basename(path), await bundled(path)] as const));
  const loads = modules.map((path) => `$b insmod /m/${basename(path)}`);
  return await boot(
    {
      image,
      // Nobody expects silence there, and how long an answer takes is a matter of what else this machine does.
      before: ['export PATH=/bin SIGNALBOX_SILENT_AFTER_MS=60000', mounts, ...loads].join('\n'),
      run: `node --disable-warning=ExperimentalWarning /${basename(scripts[0])} 2>&1`,
      // Node once more in the file system than on a disk, and the maps of two nodes.
      memoryMib: 3072,
    },
    (root) => {
      const put = (path: string, there: string) => {
        mkdirSync(join(root, dirname(there)), { recursive: true });
        copyFileSync(path, join(root, there));
      };
      for (const [name, code] of files) writeFileSync(join(root, name), code);
      writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }));
      // Where a bundle at the top looks for them.
      put(join(project, object), object);
      for (const part of ['koffi', '@koromix/koffi-linux-x64'])
        cpSync(join(project, 'node_modules', part), join(root, 'node_modules', part), { recursive: true });
      const [ip, libbpf] = [
        found('readlink -f "$(command -v ip)"'),
        found("ldconfig -p | sed -n 's/.*=> //; /libbpf.so.1$/p'"),
      ];
      put(process.execPath, 'bin/node');
      put(ip, 'bin/ip');
      put(libbpf, libbpf);
      for (const one of [process.execPath, ip, libbpf, koffi])
        for (const library of librariesOf(one)) put(library, library);
      for (const path of modules) put(path, `m/${basename(path)}`);
      for (const one of ofBusybox) symlinkSync('busybox', join(root, 'bin', one));
    },
    seconds,
  );
}

/**
 * Has the verifier of a kernel for arm64 look at every program of the object as it is, by bpftool. The output is what it said, and the names of what was loaded.
 * Rejects as `runNodeOnKernel` does.
 */
export function loadOnArm64(
  { image, root: programs }: Pick<OtherKernel, 'image' | 'root'>,
  seconds: number,
): Promise<Report> {
  const run = '/usr/sbin/bpftool prog loadall /object /sys/fs/bpf/loaded 2>&1 && $b ls /sys/fs/bpf/loaded';
  return boot(
    { architecture: 'arm64', image, before: `${mounts}\n$b mkdir /sys/fs/bpf/loaded`, run },
    (root) => {
      cpSync(programs, root, { recursive: true, verbatimSymlinks: true });
      copyFileSync(join(project, object), join(root, 'object'));
    },
    seconds,
  );
}

function found(command: string): string {
  return execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin; ${command}`], { encoding: 'utf8' }).trim();
}

/** Each by the path where the loader looks: `libelf.so.1 => /lib/… (0x…)`, and the loader itself. */
function librariesOf(program: string): string[] {
  const told = execFileSync('ldd', [program], { encoding: 'utf8' });
  return Array.from(told.matchAll(/(\/\S+) \(0x/g), ([, path = '']) => path);
}

/** A script and all that it imports, but for native code, as one file. */
async function bundled(script: string): Promise<string> {
  const build = await rolldown({
    input: script,
    platform: 'node',
    external: ['koffi'],
    treeshake: { moduleSideEffects: false },
  });
  try {
    const { output } = await build.generate({ format: 'esm' });
    const [{ code }, ...others] = output;
    if (others.length > 0) throw new Error(`${script} became more than one file`);
    return code;
  } finally {
    await build.close();
  }
}
