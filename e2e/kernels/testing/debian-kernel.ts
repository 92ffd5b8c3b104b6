import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '#lib/release/index.ts';

/** Debian's kernel of its stable release, unpacked: what this machine's own kernel may lack (bonding, VLAN, team, netem, IPVS) is a module of it. */
export type DebianKernel = {
  readonly image: string;
  /** Holds `modules.dep` and the modules by their paths there. */
  readonly modules: string;
};

/** Another name whenever other modules are kept: what was unpacked before lacks some. */
const folder = () => join(cacheFolder(process.env), 'kernels-with-crypto');

/** Modules of hardware and of file systems are most of it, and no machine here has any. IPVS needs one of `crypto`. */
const keptModules = [
  ...['crypto', 'drivers/net', 'drivers/virtio', 'fs/9p', 'fs/fscache', 'fs/netfs', 'fs/overlayfs', 'lib', 'net'],
];

/** The newest that was unpacked; null where none was (`provideDebianKernel`). */
export function debianKernel(): DebianKernel | null {
  const found = existsSync(folder()) ? readdirSync(folder()).filter((name) => name.startsWith('linux-image-')) : [];
  const name = found.sort().at(-1);
  return name === undefined ? null : kernelIn(join(folder(), name));
}

/** Fetches and unpacks it, 70 MB, and of a newer one the image, 34 MB; once. Throws where apt cannot, with its output. */
export function provideDebianKernel(): void {
  if (debianKernel() === null) unpacked('linux-image-amd64', keepKernel);
  if (newerKernel() === null)
    unpacked('linux-image-6.12-cloud-amd64', (root, name) => {
      copyFileSync(only(join(root, 'boot'), 'vmlinuz-'), join(folder(), `vmlinuz-of-${name}`));
    });
}

/** The image alone of the newer kernel that Debian's stable release has too, for its verifier; null where it was not provided. */
export function newerKernel(): string | null {
  return existsSync(folder()) && readdirSync(folder()).some((name) => name.startsWith('vmlinuz-of-'))
    ? only(folder(), 'vmlinuz-of-')
    : null;
}

/** Has the package that this one stands for unpacked, for as long as it is kept from. */
function unpacked(metapackage: string, keep: (root: string, name: string) => void): void {
  mkdirSync(folder(), { recursive: true });
  const draft = mkdtempSync(join(folder(), 'draft-'));
  try {
    // The archive removes superseded versions, so an older package list names files that are gone.
    execFileSync('apt-get', ['update'], { stdio: 'pipe' });
    const output = execFileSync('apt-cache', ['depends', metapackage], { encoding: 'utf8', stdio: 'pipe' });
    const name = /Depends: (linux-image-\S+)/.exec(output)?.[1];
    if (name === undefined) throw new Error(`apt knows no ${metapackage}`);
    execFileSync('apt-get', ['download', name], { cwd: draft, stdio: 'pipe' });
    const [archive = ''] = readdirSync(draft);
    execFileSync('dpkg-deb', ['-x', archive, 'root'], { cwd: draft, stdio: 'pipe' });
    keep(join(draft, 'root'), name);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function keepKernel(root: string, name: string): void {
  const { modules } = kernelIn(root);
  for (const part of ['drivers', 'fs', '.'])
    for (const one of readdirSync(join(modules, 'kernel', part)))
      if (!keptModules.some((kept) => `${kept}/`.startsWith(`${join(part, one)}/`)))
        rmSync(join(modules, 'kernel', part, one), { recursive: true, force: true });
  execFileSync('busybox', ['depmod', '-b', root, modules.slice(modules.lastIndexOf('/') + 1)], { stdio: 'pipe' });
  renameSync(root, join(folder(), name));
}

function kernelIn(root: string): DebianKernel {
  return { image: only(join(root, 'boot'), 'vmlinuz-'), modules: only(join(root, 'lib/modules'), '') };
}

function only(folder: string, begin: string): string {
  const name = readdirSync(folder).find((one) => one.startsWith(begin));
  if (name === undefined) throw new Error(`${folder} holds no ${begin}`);
  return join(folder, name);
}
