import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { tokenFileCredentials } from '../credentials/watched-files.ts';
import { Redactor } from '../secret.ts';
import { parseServerAddress } from '../wire/server-address.ts';
import type { ClusterAccess } from './access.ts';
import { kubeconfigProblem } from './problem.ts';

export const inClusterName = 'in-cluster';
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export type PodEnvironment = { env: Readonly<Record<string, string | undefined>>; serviceAccountFolder: string };

/** Whether this process runs in a pod with a service account: both variables are set and the token file can be read. */
export function isInCluster({ env, serviceAccountFolder: folder }: PodEnvironment): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT) && read(join(folder, 'token')) !== null;
}

/** https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/ */
export function inClusterAccess(pod: PodEnvironment, clock: Clock): ClusterAccess {
  const host = pod.env.KUBERNETES_SERVICE_HOST ?? '';
  const port = pod.env.KUBERNETES_SERVICE_PORT ?? '';
  const server = parseServerAddress(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`, 'https');
  if (!server)
    throw kubeconfigProblem('KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT', 'together they are not an address.');
  const redactor = new Redactor();
  return {
    name: inClusterName,
    server,
    namespace: read(join(pod.serviceAccountFolder, 'namespace'))?.trim() || null,
    authorities: read(join(pod.serviceAccountFolder, 'ca.crt')),
    serverName: null,
    verification: 'full',
    proxy: null,
    compression: 'wanted',
    impersonation: {},
    credentials: tokenFileCredentials(
      { path: join(pod.serviceAccountFolder, 'token'), where: 'service account token' },
      { clock, redactor },
    ),
    redactor,
  };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Where a pod finds the API server and its service account. The folder is the kubelet's unless `options` name another. */
export function podEnvironment(
  options: { serviceAccountFolder?: string | undefined },
  env: PodEnvironment['env'],
): PodEnvironment {
  return { env, serviceAccountFolder: options.serviceAccountFolder ?? serviceAccountFolder };
}
