import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { codeOf } from '../secret.ts';
import { kubeconfigLimitBytes, parseKubeconfig } from './parse.ts';
import { kubeconfigProblem } from './problem.ts';
import type { ClusterEntry, ContextEntry, KubeconfigFile, UserEntry } from './schema.ts';

/** Where to look. `kubeconfig` is the flag: only that file, which must exist. */
export type KubeconfigSource = {
  kubeconfig?: string | undefined;
  env?: Readonly<Record<string, string | undefined>> | undefined;
  home?: string | undefined;
};

/** An entry and its file, which errors about it name. */
export type FromFile<T> = { readonly value: T; readonly file: string };

export type Kubeconfig = {
  readonly clusters: ReadonlyMap<string, FromFile<ClusterEntry>>;
  readonly users: ReadonlyMap<string, FromFile<UserEntry>>;
  readonly contexts: ReadonlyMap<string, FromFile<ContextEntry>>;
  readonly currentContext: FromFile<string> | null;
  /** Files that were read, in order; empty when there is no kubeconfig at all. */
  readonly files: readonly string[];
  /** Files that were looked for. */
  readonly looked: readonly string[];
};

/**
 * kubectl's rules (https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/): the flag's file alone;
 * else every file of KUBECONFIG, missing ones skipped; else ~/.kube/config. The first file that has an entry decides all of it. Without a file there are
 * no contexts. The library invents one, does not skip missing files and merges by other rules (library.test.ts).
 */
export async function loadKubeconfig(source: KubeconfigSource = {}): Promise<Kubeconfig> {
  const { looked, mustExist } = candidates(source);
  const clusters = new Map<string, FromFile<ClusterEntry>>();
  const users = new Map<string, FromFile<UserEntry>>();
  const contexts = new Map<string, FromFile<ContextEntry>>();
  const files: string[] = [];
  let currentContext: FromFile<string> | null = null;

  for (const file of looked) {
    const text = await readKubeconfig(file, mustExist);
    if (text === null) continue;
    files.push(file);
    const content = withPathsFrom(dirname(resolve(file)), parseKubeconfig(text, file));
    for (const { name, cluster } of content.clusters) if (cluster) addFirst(clusters, name, cluster, file);
    for (const { name, user } of content.users) if (user) addFirst(users, name, user, file);
    for (const { name, context } of content.contexts) if (context) addFirst(contexts, name, context, file);
    const current = content['current-context'];
    if (current !== null && currentContext === null) currentContext = { value: current, file };
  }
  return { clusters, users, contexts, currentContext, files, looked };
}

function candidates(source: KubeconfigSource): { looked: string[]; mustExist: boolean } {
  if (source.kubeconfig !== undefined) return { looked: [source.kubeconfig], mustExist: true };
  const listed = (source.env ?? process.env).KUBECONFIG;
  if (listed) return { looked: [...new Set(listed.split(delimiter).filter((file) => file !== ''))], mustExist: false };
  return { looked: [join(source.home ?? homedir(), '.kube', 'config')], mustExist: false };
}

async function readKubeconfig(file: string, mustExist: boolean): Promise<string | null> {
  const where = mustExist ? `--kubeconfig ${file}` : file;
  try {
    const { size } = await stat(file);
    if (size > kubeconfigLimitBytes) {
      throw kubeconfigProblem(
        where,
        `${Math.ceil(size / 1024 / 1024)} MiB are too much for a kubeconfig; is this the right file?`,
      );
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    switch (codeOf(error)) {
      case 'ENOENT':
      case 'ENOTDIR':
        if (!mustExist) return null;
        throw kubeconfigProblem(where, 'there is no such file.');
      case 'EACCES':
      case 'EPERM':
        throw kubeconfigProblem(where, 'this user may not read it.');
      case 'EISDIR':
        throw kubeconfigProblem(where, 'this is a directory, a file is needed.');
      default:
        throw error instanceof Error && error.name === 'KubeError'
          ? error
          : kubeconfigProblem(where, 'it cannot be read.');
    }
  }
}

function addFirst<T>(entries: Map<string, FromFile<T>>, name: string, value: T, file: string): void {
  if (!entries.has(name)) entries.set(name, { value, file });
}

/** Paths in a kubeconfig are relative to its folder; so is a plug-in's command if it is a path and not a name. */
function withPathsFrom(folder: string, content: KubeconfigFile): KubeconfigFile {
  const at = (path: string | null) => (path === null || isAbsolute(path) ? path : join(folder, path));
  for (const { cluster } of content.clusters) {
    if (cluster) cluster['certificate-authority'] = at(cluster['certificate-authority']);
  }
  for (const { user } of content.users) {
    if (!user) continue;
    user['client-certificate'] = at(user['client-certificate']);
    user['client-key'] = at(user['client-key']);
    user.tokenFile = at(user.tokenFile);
    if (user.exec?.command?.includes(sep)) user.exec.command = at(user.exec.command);
  }
  return content;
}
