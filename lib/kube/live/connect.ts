import type { ConnectOptions } from './connect-options.ts';
import type { KnownContext } from './contexts.ts';
import type { LiveKube } from './open.ts';

/**
 * A client for one real cluster. Reads kubeconfig and the files that it names, but does not connect yet. Heavy modules are loaded only here, so that
 * importing `lib/kube` is cheap without a live cluster. Rejects with `invalid`, naming flag or field, or with `credentials`.
 */
export async function connect(options: ConnectOptions = {}): Promise<LiveKube> {
  const { connectLive } = await import('./open.ts');
  return connectLive(options);
}

/** All contexts, also broken ones with their problem, and the pod's own cluster. Rejects with `invalid` if a file cannot be read. */
export async function listContexts(options: ConnectOptions = {}): Promise<KnownContext[]> {
  const { knownContexts } = await import('./contexts.ts');
  return knownContexts(options);
}
