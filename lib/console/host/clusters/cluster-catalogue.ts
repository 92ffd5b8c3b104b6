import { delimiter } from 'node:path';
import { isKubeError, listContexts } from '#lib/kube/index.ts';
import { listSandboxes } from '#lib/sandbox/index.ts';
import { type KubeconfigNamed, strangeInLine, visibleLine } from '#lib/text/index.ts';
import type { ClusterEntry, Slug } from '../../host.ts';
import { Refused } from '../refused.ts';
import { clusterSlug } from './cluster-slug.ts';

export type Catalogue = {
  all(): Promise<ClusterEntry[]>;
  /** Throws `cluster.not-found`. */
  find(slug: Slug): Promise<ClusterEntry>;
};

export type CatalogueOptions = { env: NodeJS.ProcessEnv; kubeconfig: string | undefined; stateFolder: string };

/** Every cluster that can be named: contexts, the pod's own cluster, sandboxes. Files are read on each call, as they may have changed. Connects to nothing. */
export function clusterCatalogue({ env, kubeconfig, stateFolder }: CatalogueOptions): Catalogue {
  const file = kubeconfigNamed(env, kubeconfig);
  const contexts = async (): Promise<ClusterEntry[]> =>
    (await listContexts({ kubeconfig, env })).map(({ name, source, server, current, warnings, notAsked, problem }) => ({
      slug: clusterSlug(source, name),
      name: visibleLine(name),
      kind: source,
      server,
      kubeconfig: source === 'kubeconfig' ? file : null,
      current,
      shows: null,
      group: null,
      kept: false,
      warnings,
      notAsked,
      problem: problem ?? (strangeInLine.test(name) ? unshowable : null),
    }));
  const sandboxes = async (): Promise<ClusterEntry[]> =>
    (await listSandboxes(stateFolder)).map(({ name, shows, group, kept, openIn }) => ({
      slug: clusterSlug('sandbox', name),
      name,
      kind: 'sandbox',
      server: null,
      kubeconfig: null,
      current: false,
      shows,
      group,
      kept,
      warnings:
        openIn === null || openIn === process.pid
          ? []
          : [`Process ${openIn} has it open; one process at a time can have it.`],
      notAsked: null,
      problem: null,
    }));
  const all = async () => [...(await contexts().catch(brokenKubeconfig)), ...(await sandboxes())];
  return {
    all,
    find: async (slug) => {
      // Sandboxes can be used even if the kubeconfig is broken.
      const found =
        (await sandboxes()).find((one) => one.slug === slug) ?? (await contexts()).find((one) => one.slug === slug);
      if (!found)
        throw new Refused('cluster.not-found', 'There is no cluster of that name: its context may have been renamed.');
      return found;
    },
  };
}

/**
 * What this console was given, by flag or variable: a command that names the context alone would miss it in another shell. Paths are absolute already
 * (start-console.ts). Null: kubectl's own file.
 */
export function kubeconfigNamed(
  { KUBECONFIG }: Readonly<NodeJS.ProcessEnv>,
  flag: string | undefined,
): KubeconfigNamed | null {
  if (flag !== undefined) return { file: flag };
  const [first, ...more] = new Set(KUBECONFIG?.split(delimiter).filter((path) => path !== ''));
  if (first === undefined) return null;
  return more.length === 0 ? { file: first } : { files: [first, ...more].join(delimiter) };
}

/** A name with invisible or strange characters is refused: the user types it to confirm, and must be able to see it. */
const unshowable =
  'Its name has invisible characters or characters that reverse text. Rename it: kubectl config rename-context.';

/** A broken kubeconfig becomes an entry with a problem, so that the other clusters are still listed. */
function brokenKubeconfig(error: unknown): ClusterEntry[] {
  if (!isKubeError(error)) throw error;
  return [
    {
      slug: clusterSlug('kubeconfig', ''),
      name: 'kubeconfig',
      kind: 'kubeconfig',
      server: null,
      kubeconfig: null,
      current: false,
      shows: null,
      group: null,
      kept: false,
      warnings: [],
      notAsked: null,
      problem: error.message,
    },
  ];
}
