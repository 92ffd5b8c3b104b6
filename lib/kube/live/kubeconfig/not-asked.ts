import type { ServerAddress } from '../wire/server-address.ts';
import type { ClusterEntry, UserEntry } from './schema.ts';

/**
 * Why a list of clusters sends a context no request until the user asks for it, as a phrase; null: it does. A kubeconfig may hold contexts from anywhere,
 * and opening a page must not run their programs or send their tokens.
 */
export function whyNotAsked(context: {
  current: boolean;
  server: ServerAddress;
  cluster: ClusterEntry;
  user: UserEntry | null;
}): string | null {
  const { current, server, cluster, user } = context;
  if (server.origin.startsWith('http:')) return 'its connection is not encrypted';
  if (cluster['insecure-skip-tls-verify']) return 'its certificate is not verified';
  if (current) return null;
  if (user?.exec) return 'its credentials come from a program';
  if (user?.['auth-provider']) return 'its credentials come from an identity provider';
  return notCurrent;
}

export const notCurrent = 'it is not the current context';
