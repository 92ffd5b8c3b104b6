import packageJson from '../../../package.json' with { type: 'json' };
import { systemClock } from '../clock.ts';
import type { Kube } from '../port.ts';
import { liveKube } from './client.ts';
import type { ConnectOptions } from './connect-options.ts';
import { openConnection } from './connection.ts';
import type { ClusterAccess } from './kubeconfig/access.ts';
import { chooseContext } from './kubeconfig/choose.ts';
import { inClusterAccess, inClusterName, isInCluster, podEnvironment } from './kubeconfig/in-cluster.ts';
import { loadKubeconfig } from './kubeconfig/load.ts';
import { kubeconfigProblem } from './kubeconfig/problem.ts';
import { resolveAccess } from './kubeconfig/resolve.ts';
import { warningsOf } from './kubeconfig/warnings.ts';

export type LiveKube = Kube & { readonly warnings: readonly string[] };

/** `connect` without its lazy loading: finds the cluster and its credentials. Sends no request. */
export async function connectLive(options: ConnectOptions): Promise<LiveKube> {
  const clock = options.clock ?? systemClock;
  const env = options.env ?? process.env;
  const access = await findAccess(options, { clock, env });
  const connection = openConnection(access, {
    clock,
    env,
    random: options.random ?? Math.random,
    userAgent: `signalbox/${packageJson.version}`,
    timeoutMs: options.timeoutMs,
  });
  return {
    ...liveKube(connection),
    server: access.server.host,
    ...(access.namespace ? { namespace: access.namespace } : {}),
    ...(access.name === inClusterName
      ? {}
      : { reachedBy: { kubeconfig: options.kubeconfig ?? null, context: access.name } }),
    warnings: warningsOf(access.server, access.verification),
  };
}

/** The kubeconfig if there is one, like kubectl; otherwise the pod's service account. */
async function findAccess(
  options: ConnectOptions,
  uses: { clock: NonNullable<ConnectOptions['clock']>; env: Readonly<Record<string, string | undefined>> },
): Promise<ClusterAccess> {
  const config = await loadKubeconfig(options);
  const pod = podEnvironment(options, uses.env);
  const wantsPod = options.context === inClusterName && !config.contexts.has(inClusterName);
  const nothingElse = config.files.length === 0 && options.context === undefined;
  if (options.kubeconfig === undefined && (wantsPod || nothingElse) && isInCluster(pod)) {
    return inClusterAccess(pod, uses.clock);
  }
  if (nothingElse) {
    throw kubeconfigProblem(
      '--kubeconfig',
      `no kubeconfig was found at ${config.looked.join(' or ')}; name one here, or in KUBECONFIG.`,
    );
  }
  return resolveAccess(chooseContext(config, options.context ?? null), uses);
}
