import type { ConnectOptions } from './connect-options.ts';
import type { KnownContext } from './contexts.ts';
import type { LiveKube } from './open.ts';

/**
 * A client for one real cluster. Reads kubeconfig and the files it names; makes no connection yet. Everything heavy is loaded
 * here and not before: importing `lib/kube` costs nothing where no live cluster is asked for.
 * Rejects with `invalid` (flag or field named) or `credentials`.
 */
export async function connect(options: ConnectOptions = {}): Promise<LiveKube> {
  const { connectLive } = await import('./open.ts');
  return connectLive(options);
}

/** Every context there is, broken ones with their problem, and the pod's own cluster. Rejects with `invalid` when a file cannot be read. */
export async function listContexts(options: ConnectOptions = {}): Promise<KnownContext[]> {
  const { knownContexts } = await import('./contexts.ts');
  return knownContexts(options);
}
