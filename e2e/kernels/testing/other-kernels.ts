import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { cacheFolder } from '#lib/release/index.ts';
import { withDebian, withUbuntu } from './foreign-packages.ts';

/** Of the signed lists of focal's pocket `release` (2026-11-27), which stays as it is. */
const ofUbuntu = [
  { package: 'linux-signed/linux-image', sha256: '5f619f3d9123f40603a164c6358fdcb1485b742c9bf497099bcc642076e0e782' },
  { package: 'linux/linux-modules', sha256: '82cf8aa4ab5d8b4bb78f452c7069ffc7429fe1d0e2eef13f4b35ebe0b848b1a4' },
];

/** Kernels that this machine's release does not have. */
const kernels = {
  /** The one that Ubuntu 20.04 came with: updates of it have what newer kernels brought. */
  'Ubuntu 5.4'({ work, into }: Places): void {
    const [version, release] = ['5.4.0-26-generic', '5.4.0-26.30_amd64.deb'];
    withUbuntu({ release: 'focal', work }, (unpack) => {
      const root = join(work, 'root');
      for (const { package: name, sha256 } of ofUbuntu)
        unpack(`pool/main/l/${name}-${version}_${release}`, sha256, root);
      keepImage(root, into);
      for (const path of ['drivers/net/veth', 'net/sched/sch_ingress', 'net/sched/cls_bpf'])
        copyFileSync(join(root, 'lib/modules', version, 'kernel', `${path}.ko`), join(into, `${basename(path)}.ko`));
    });
  },

  'Debian 5.10'({ work, into }: Places): void {
    withDebian({ suite: () => 'bullseye-security', architecture: 'amd64', work }, ({ dependency, unpack }) => {
      const root = join(work, 'root');
      unpack(dependency('linux-image-amd64', /linux-image-5\.10\.\S+/), root);
      keepImage(root, into);
    });
  },

  /** Of the release that this machine has, with a bpftool for it. Another name whenever other modules are kept. */
  'Debian arm64 with veth'({ work, into }: Places): void {
    withDebian({ suite: (own) => own, architecture: 'arm64', work }, ({ dependency, unpack, unpackWhole }) => {
      const root = join(work, 'root');
      unpack(dependency('linux-image-cloud-arm64', /linux-image-\d\S+/), root);
      keepImage(root, into);
      const [version = ''] = readdirSync(join(root, 'lib/modules'));
      copyFileSync(join(root, 'lib/modules', version, 'kernel/drivers/net/veth.ko'), join(into, 'veth.ko'));
      const tools = join(work, 'tools');
      unpack('busybox-static', tools);
      unpackWhole('bpftool', tools);
      // Beside them lie 20 MB of character sets and descriptions.
      const filter = (path: string) => !/\/gconv$|\/usr\/share$/.test(path);
      cpSync(tools, join(into, 'root'), { recursive: true, verbatimSymlinks: true, filter });
    });
  },
} as const;

export type KernelName = keyof typeof kernels;

export type OtherKernel = {
  readonly image: string;
  /** Files of what it has as modules and traffic needs. */
  readonly modules: readonly string[];
  /** The root folder of the programs for its processor. */
  readonly root: string;
};

type Places = { readonly work: string; readonly into: string };

const folderOf = (name: KernelName) => join(cacheFolder(process.env), 'other-kernels', name.replaceAll(' ', '-'));

/** Null where none was unpacked (`provideOtherKernels`). */
export function otherKernel(name: KernelName): OtherKernel | null {
  const folder = folderOf(name);
  if (!existsSync(folder)) return null;
  const modules = readdirSync(folder).filter((one) => one.endsWith('.ko'));
  return {
    image: join(folder, 'vmlinuz'),
    modules: modules.map((one) => join(folder, one)),
    root: join(folder, 'root'),
  };
}

/**
 * Fetches and unpacks each that is not there, 110 MB with lists of packages, of which 60 MB are kept.
 * @returns a sentence for each that cannot be had
 */
export function provideOtherKernels(): string[] {
  return Object.entries(kernels).flatMap(([name, provide]) => {
    const folder = folderOf(name as KernelName);
    if (existsSync(folder)) return [];
    mkdirSync(join(folder, '..'), { recursive: true });
    const work = mkdtempSync(join(folder, '../draft-'));
    try {
      const into = join(work, 'kept');
      mkdirSync(into);
      provide({ work, into });
      renameSync(into, folder);
      return [];
    } catch (error) {
      return [`The kernel ${name} could not be had: ${messageOf(error)}`];
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
}

function keepImage(root: string, into: string): void {
  const name = readdirSync(join(root, 'boot')).find((one) => one.startsWith('vmlinuz-'));
  if (name === undefined) throw new Error('its package holds no image');
  copyFileSync(join(root, 'boot', name), join(into, 'vmlinuz'));
}
