import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { contextOf } from '../../dataplane/testing/test-run.ts';
import { boot, type Report } from './emulator.ts';
import type { OtherKernel } from './other-kernels.ts';
import type { Entry, Recording } from './recorded-lives.ts';

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
 * is needed for that. Rejects when it does not end within `seconds`, with the machine's output.
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

/** As bpftool says it. */
type Ran = { readonly retval: number; readonly data_out: readonly string[] };

/**
 * Has the verifier of a kernel for arm64 look at every program of the object as it is, by bpftool, lives through what was recorded, and has processes connect to
 * services. Rejects as `runNodeOnKernel` does, and where bpftool refuses anything.
 * @returns the names of what was loaded, what became of each packet, and the answer that each process got
 */
export async function liveOnArm64(
  { image, modules, root: programs }: OtherKernel,
  { links, addresses, chapters, sockets }: Recording,
  seconds: number,
): Promise<{
  readonly loaded: readonly string[];
  readonly lives: readonly { readonly verdict: number; readonly frame: Buffer }[];
  readonly sockets: readonly string[];
}> {
  const numbers = links.map((_, at) => at + 2);
  const devices = [
    ...modules.map((path) => `$b insmod /m/${basename(path)}`),
    // They come by twos.
    ...numbers.filter((_, at) => at % 2 === 0).map((number) => `$b ip link add v${number} type veth`),
    ...links.map(
      (link, at) =>
        `$b ip link set $($b grep -lx ${numbers[at]} /sys/class/net/*/ifindex | $b cut -d/ -f5) name ${link}; $b ip link set ${link} up`,
    ),
    ...addresses.map((line) => `$b ip ${line}`),
    'for each in ipv4 ipv6; do echo 1 >/proc/sys/net/$each/conf/all/forwarding; done',
  ];
  const bpftool = '/usr/sbin/bpftool';
  const run = [
    `${bpftool} prog loadall /object ${pins} pinmaps ${pins}/maps && $b ls ${pins}`,
    ...chapters.map(
      (_, at) => `${bpftool} batch file /lives/${at}.maps >/dev/null && ${bpftool} -j batch file /lives/${at}`,
    ),
    '$b mkdir /group && $b mount -t cgroup2 g /group',
    ...['connect4', 'connect6'].map((hook) => `${bpftool} cgroup attach /group ${hook} pinned ${pins}/${hook}`),
    // Of an address that an interface has, it is not known for a while whether nobody else has it.
    ...['$b ip link set lo up', ...sockets.backends.map((backend) => `$b ip addr add ${backend} dev lo`)],
    `{ $b nc -ll -p ${sockets.port} -e $b echo served & $b sleep 1; }`,
    ...sockets.dialled.map(({ to, port }) => `printf '["%s"]\\n' "$($b nc -w 9 ${to} ${port} </dev/null 2>&1)"`),
  ].join(' && ');
  const { code, output } = await boot(
    {
      architecture: 'arm64',
      image,
      before: [mounts, ...devices, `$b mkdir -p ${pins}/maps`].join('\n'),
      run: `{ ${run}; } 2>&1`,
    },
    (root) => {
      cpSync(programs, root, { recursive: true, verbatimSymlinks: true });
      copyFileSync(join(project, object), join(root, 'object'));
      for (const folder of ['m', 'lives']) mkdirSync(join(root, folder));
      for (const path of modules) copyFileSync(path, join(root, 'm', basename(path)));
      const write = (name: string, content: Buffer | readonly string[]) =>
        writeFileSync(join(root, 'lives', name), content instanceof Buffer ? content : `${content.join('\n')}\n`);
      for (const [at, chapter] of chapters.entries()) {
        write(`${at}.maps`, chapter.entries.map(setEntry));
        write(
          `${at}`,
          chapter.lives.map(({ program }, life) => `prog run pinned ${pins}/${program} ${about(at, life)}`),
        );
        for (const [life, { frame, ifindex }] of chapter.lives.entries()) {
          write(`${at}.${life}`, frame);
          write(`${at}.${life}.context`, contextOf(ifindex));
        }
      }
    },
    seconds,
  );
  const [loaded = '', ...ran] = output.split(/^(?=\[)/m);
  if (code !== 0 || ran.length !== chapters.length + sockets.dialled.length) throw new Error(output.slice(-4000));
  const done = ran.slice(0, chapters.length).flatMap((text): { readonly output: Ran }[] => JSON.parse(text));
  return {
    sockets: ran.slice(chapters.length).flatMap((text): string[] => JSON.parse(text)),
    loaded: loaded.split(/\s+/),
    lives: done.map(({ output: { retval, data_out: left } }) => ({
      verdict: retval,
      frame: Buffer.from(left.map(Number)),
    })),
  };
}

/** Where bpftool pins programs, and below it maps. */
const pins = '/sys/fs/bpf/loaded';
const setEntry = ({ map, key, value }: Entry) =>
  `map update pinned ${pins}/maps/${map} key hex ${spaced(key)} value hex ${spaced(value)}`;
const about = (chapter: number, life: number) =>
  `data_in /lives/${chapter}.${life} data_out - ctx_in /lives/${chapter}.${life}.context`;
const spaced = (bytes: Buffer) => bytes.toString('hex').replaceAll(/..(?=.)/g, '$& ');

function found(command: string): string {
  return execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin; ${command}`], { encoding: 'utf8' }).trim();
}

/** Each by the path where the loader looks: `libelf.so.1 => /lib/… (0x…)`, and the loader itself. */
function librariesOf(program: string): string[] {
  const output = execFileSync('ldd', [program], { encoding: 'utf8' });
  return Array.from(output.matchAll(/(\/\S+) \(0x/g), ([, path = '']) => path);
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
