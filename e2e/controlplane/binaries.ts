import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { cacheFolder } from '#lib/release/index.ts';
import { withFileLock } from './file-lock.ts';
import { findGo, type Go, run } from './go-toolchain.ts';
import {
  cacheKey,
  helmModules,
  ldflags,
  moduleFolder,
  type PlaneTool,
  type ToolModule,
  type ToolName,
  toolModules,
} from './tools.ts';

/** Absolute path of each program. */
export type Binaries = Readonly<Record<PlaneTool, string>>;

/** Programs are missing and cannot be built on this machine; the message says which, and what to install. */
export class MissingTools extends Error {
  readonly code = 'tools.missing';
}

export type BinariesOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with each line of progress. */
  readonly report?: (line: string) => void;
};

/** Programs that the folder of the envtest convention (`KUBEBUILDER_ASSETS`) has; the others are always built or come from our cache. */
const fromAssets: readonly ToolName[] = ['etcd', 'kube-apiserver', 'kubectl'];
const secondsBetweenReports = 30;
/** With Go's default the compiler spends a fifth of its CPU time on garbage collection. The limit keeps the linker from using gigabytes of memory. */
const lessCollecting = { GOGC: '400', GOMEMLIMIT: '2GiB' };

/**
 * Finds the control plane's programs in `KUBEBUILDER_ASSETS` or the cache, or else builds them from their pinned Go modules.
 * A second process that needs the same programs waits for the first. Throws MissingTools.
 */
export async function ensureBinaries(options: BinariesOptions = {}): Promise<Binaries> {
  return (await ensureTools(toolModules, options)) as Binaries;
}

/** A folder with `helm`, for a PATH; found or built in the same way. */
export async function ensureHelm(which: keyof typeof helmModules, options: BinariesOptions = {}): Promise<string> {
  const { helm = '' } = await ensureTools([helmModules[which]], options);
  return dirname(helm);
}

async function ensureTools(
  modules: readonly ToolModule[],
  options: BinariesOptions,
): Promise<Partial<Record<ToolName, string>>> {
  const env = options.env ?? process.env;
  const report = options.report ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const given = new Map<ToolName, string>(assetsIn(env.KUBEBUILDER_ASSETS, report));
  const folderOf = (module: ToolModule) => join(cacheFolder(env), 'tools', cacheKey(module));
  const lacking = (module: ToolModule) =>
    module.programs.filter(({ name }) => !given.has(name) && !isExecutable(join(folderOf(module), name)));

  const incomplete = modules.filter((module) => lacking(module).length > 0);
  const go = incomplete.length > 0 ? await demandGo(incomplete.flatMap(lacking), env) : null;
  for (const module of incomplete) {
    const folder = folderOf(module);
    mkdirSync(folder, { recursive: true });
    const onWait = (owner: number) => report(`Process ${owner} builds ${module.folder}; waiting for it.`);
    await withFileLock(`${folder}.lock`, onWait, async () => {
      const programs = lacking(module);
      if (go && programs.length > 0) await build(module, programs, folder, go, report);
    });
  }
  const paths = modules.flatMap((module) =>
    module.programs.map(({ name }) => [name, given.get(name) ?? join(folderOf(module), name)]),
  );
  return Object.fromEntries(paths);
}

/** Names everything that is missing in one sentence, before minutes are spent on building a part. */
async function demandGo(
  programs: ToolModule['programs'],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Go> {
  const go = await findGo(env);
  if ('command' in go) return go;
  throw new MissingTools(
    `Not built yet: ${programs.map(({ name }) => name).join(', ')}. Go is needed for that and cannot be used here ` +
      `(${go.missing}). ` +
      'Install Go (Debian: apt-get install golang-go; an older one fetches what it needs), ' +
      'or point KUBEBUILDER_ASSETS at a folder with etcd, kube-apiserver and kubectl ' +
      'and SIGNALBOX_CACHE at the cache of a machine that has built the others.',
  );
}

function assetsIn(folder: string | undefined, report: (line: string) => void): [ToolName, string][] {
  if (!folder) return [];
  const [present, absent] = [true, false].map((wanted) =>
    fromAssets.filter((name) => isExecutable(join(folder, name)) === wanted),
  );
  if (absent?.length) report(`KUBEBUILDER_ASSETS (${folder}) lacks ${absent.join(', ')}; they are built instead.`);
  return (present ?? []).map((name) => [name, resolve(folder, name)]);
}

/** Builds into a separate folder and renames it, so that a killed build leaves no half-written program in the cache. */
async function build(
  module: ToolModule,
  programs: ToolModule['programs'],
  folder: string,
  go: Go,
  report: (line: string) => void,
): Promise<void> {
  const names = programs.map(({ name }) => name).join(', ');
  report(`Building ${names} from source, once (usually ${module.usuallyTakes} on two cores).`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const ticker = setInterval(() => report(`… still building ${names}, ${seconds()} s`), secondsBetweenReports * 1000);
  const draft = mkdtempSync(join(folder, '.building-'));
  try {
    for (const { name, package: path } of programs) {
      const args = [
        'build',
        '-mod=readonly',
        '-trimpath',
        '-buildvcs=false',
        `-ldflags=${ldflags(module)}`,
        '-o',
        join(draft, name),
        path,
      ];
      const built = await run(go.command, args, {
        cwd: moduleFolder(module),
        env: { ...lessCollecting, ...go.env, CGO_ENABLED: '0', GOWORK: 'off' },
      });
      if (built.code !== 0) throw new MissingTools(`${name} could not be built:\n${built.output.trim().slice(-2000)}`);
      renameSync(join(draft, name), join(folder, name));
    }
  } finally {
    clearInterval(ticker);
    rmSync(draft, { recursive: true, force: true });
  }
  report(`Built ${names} in ${seconds()} s.`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}
