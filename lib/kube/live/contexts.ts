import { isKubeError } from '../error.ts';
import type { ConnectOptions } from './connect-options.ts';
import { chooseContext } from './kubeconfig/choose.ts';
import { inClusterName, isInCluster, podEnvironment } from './kubeconfig/in-cluster.ts';
import { type Kubeconfig, loadKubeconfig } from './kubeconfig/load.ts';
import { notCurrent, whyNotAsked } from './kubeconfig/not-asked.ts';
import { serverOf } from './kubeconfig/resolve.ts';
import { warningsOf } from './kubeconfig/warnings.ts';

/** A context as its kubeconfig describes it, without a request to the cluster. Holds no secret. */
export type KnownContext = {
  name: string;
  source: 'kubeconfig' | 'in-cluster';
  /** The context that is used when none is named. */
  current: boolean;
  /** `host:port` with the path prefix, if any; null when the entry is broken (see `problem`). */
  server: string | null;
  namespace: string | null;
  /** The kubeconfig file that the context came from; null for in-cluster. */
  file: string | null;
  /** Sentences to show first, e.g. that certificates are not verified. */
  warnings: string[];
  /** Why a list of clusters sends it no request unasked, as a phrase: *its credentials come from a program*. Null: it does. */
  notAsked: string | null;
  /** Why this context cannot be used; null if no reason is known. */
  problem: string | null;
};

/** `listContexts` without its lazy loading. Rejects with `invalid` if the kubeconfig cannot be read or parsed. */
export async function knownContexts(options: ConnectOptions): Promise<KnownContext[]> {
  const config = await loadKubeconfig(options);
  const contexts = [...config.contexts.keys()].map((name) => known(config, name));
  const pod = podEnvironment(options, options.env ?? process.env);
  if (options.kubeconfig !== undefined || config.contexts.has(inClusterName) || !isInCluster(pod)) return contexts;
  return [
    ...contexts,
    {
      name: inClusterName,
      source: 'in-cluster',
      current: config.files.length === 0,
      server: `${pod.env.KUBERNETES_SERVICE_HOST}:${pod.env.KUBERNETES_SERVICE_PORT}`,
      namespace: null,
      file: null,
      warnings: [],
      notAsked: config.files.length === 0 ? null : notCurrent,
      problem: null,
    },
  ];
}

function known(config: Kubeconfig, name: string): KnownContext {
  const entry = {
    name,
    source: 'kubeconfig' as const,
    current: config.currentContext?.value === name,
    namespace: config.contexts.get(name)?.value.namespace ?? null,
    file: config.contexts.get(name)?.file ?? null,
  };
  try {
    const chosen = chooseContext(config, name);
    const server = serverOf(chosen);
    const verification = chosen.cluster.value['insecure-skip-tls-verify'] ? 'none' : 'full';
    return {
      ...entry,
      server: server.host + server.prefix,
      warnings: warningsOf(server, verification),
      notAsked: whyNotAsked({
        current: entry.current,
        server,
        cluster: chosen.cluster.value,
        user: chosen.user?.value ?? null,
      }),
      problem: null,
    };
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return { ...entry, server: null, warnings: [], notAsked: null, problem: error.message };
  }
}
