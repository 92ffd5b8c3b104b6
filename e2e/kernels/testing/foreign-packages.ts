import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './emulator.ts';

/** Packages that this machine could not install: of another release of Debian, of another architecture, of Ubuntu. Nothing of apt's own state changes. */
export type Packages = {
  /** The newest version of a package, unpacked into `into`. */
  readonly unpack: (name: string, into: string) => void;
  /** The same with all that it depends on. */
  readonly unpackWhole: (name: string, into: string) => void;
  /** What a metapackage stands for, which matches a pattern. */
  readonly dependency: (metapackage: string, pattern: RegExp) => string;
};

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Debian's packages of a suite, by the archives that this machine's apt has.
 * @param suite from the release that this machine has: `bookworm` to `bullseye-security`, which is in the archive of `bookworm-security`
 * @param work a folder for the time of `use`
 * @throws with the output of apt
 */
export function withDebian(
  {
    suite,
    architecture,
    work,
  }: { readonly suite: (own: string) => string; readonly architecture: Architecture; readonly work: string },
  use: (packages: Packages) => void,
): void {
  const { uri, name } = archiveOf(suite);
  const state = mkdtempSync(join(work, 'apt-'));
  for (const one of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(state, one), { recursive: true });
  writeFileSync(join(state, 'sources.list'), `deb [arch=${architecture} signed-by=${keyring}] ${uri} ${name} main\n`);
  // Nothing is installed as far as it knows, and it may write where we may.
  writeFileSync(join(state, 'status'), '');
  const settings = {
    'Dir::State': state,
    'Dir::State::status': join(state, 'status'),
    'Dir::State::lists': join(state, 'lists'),
    'Dir::Cache': join(state, 'cache'),
    'Dir::Etc::sourcelist': join(state, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': 'root',
    'APT::Keep-Downloaded-Packages': 'true',
    'Acquire::Retries': '3',
    // A list that could not be fetched is an error, not a warning.
    'APT::Update::Error-Mode': 'any',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const apt = (program: string, ...args: readonly string[]) => outputOf(state, program, ...options, ...args);
  apt('apt-get', 'update');
  use({
    unpack(name, into) {
      const folder = mkdtempSync(join(state, 'download-'));
      outputOf(folder, 'apt-get', ...options, 'download', name);
      unpackAll(folder, into);
    },
    unpackWhole(name, into) {
      apt('apt-get', '--yes', '--no-install-recommends', '--download-only', 'install', name);
      unpackAll(join(state, 'cache/archives'), into);
    },
    dependency(metapackage, pattern) {
      const found = pattern.exec(apt('apt-cache', 'depends', metapackage))?.[0];
      if (found === undefined) throw new Error(`${metapackage} of ${name} depends on nothing like ${pattern}`);
      return found;
    },
  });
  rmSync(state, { recursive: true, force: true });
}

/** This machine's archive of a suite like it: of security updates, or of the release itself. */
function archiveOf(suite: (own: string) => string): { readonly uri: string; readonly name: string } {
  const format = '$(REPO_URI) $(RELEASE) $(CODENAME)';
  const targets = outputOf('/', 'apt-get', 'indextargets', '--format', format, 'Created-By: Packages');
  const archives = targets.split('\n').map((line) => line.split(' '));
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(outputOf('/', 'cat', '/etc/os-release'))?.[1] ?? '';
  const name = suite(release);
  const own = name.endsWith('-security') ? `${release}-security` : release;
  const [uri] = archives.find(([, ...names]) => names.includes(own)) ?? [];
  if (uri === undefined) throw new Error(`apt has no archive of ${own}`);
  return { uri, name };
}

/**
 * Packages of Ubuntu, whose keys Debian does not have: by their checksums. Where its archive is, Debian's own debootstrap says.
 * @param release `focal`
 * @param work a folder for the time of `use`
 * @param use is given how to unpack one into a folder, by its path in the archive
 * @throws with the output of apt
 */
export function withUbuntu(
  { release, work }: { readonly release: string; readonly work: string },
  use: (unpack: (path: string, sha256: string, into: string) => void) => void,
): void {
  const folder = mkdtempSync(join(work, 'ubuntu-'));
  // What an older list names is gone from the archive.
  outputOf(folder, 'apt-get', 'update');
  outputOf(folder, 'apt-get', 'download', 'debootstrap');
  unpackAll(folder, join(folder, 'debootstrap'));
  const script = join(folder, 'debootstrap/usr/share/debootstrap/scripts', release);
  // It calls this before anything else.
  const asked = `default_mirror() { echo "$1"; exit; }; ARCH=amd64 SUITE=${release}; . "$1"`;
  const archive = outputOf(folder, 'sh', '-c', asked, 'sh', script).trim();
  const file = join(folder, 'package.deb');
  const helper = ['/usr/lib/apt/apt-helper', '-o', 'Acquire::Retries=3', 'download-file'] as const;
  use((path, sha256, into) => {
    outputOf(folder, ...helper, `${archive}/${path}`, file, `SHA256:${sha256}`);
    outputOf(folder, 'dpkg-deb', '-x', file, into);
    rmSync(file);
  });
  rmSync(folder, { recursive: true, force: true });
}

function unpackAll(folder: string, into: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.deb')))
    outputOf(folder, 'dpkg-deb', '-x', name, into);
}

function outputOf(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
}
