import type { Clock } from '../clock.ts';
import type { Kube } from '../port.ts';

/** Which cluster. Absent fields: kubectl's own precedence. `env`, `home`, `serviceAccountFolder` are for tests. */
export type ConnectOptions = {
  /** --kubeconfig: this file alone, and it must exist. Else KUBECONFIG, else ~/.kube/config, else the pod's service account. */
  kubeconfig?: string | undefined;
  /** --context; else current-context. */
  context?: string | undefined;
  /** For every call that does not bring its own; 30 s. Watches, followed logs and commands in pods have their own bounds. */
  timeoutMs?: number | undefined;
  env?: Readonly<Record<string, string | undefined>> | undefined;
  home?: string | undefined;
  serviceAccountFolder?: string | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
};

/** What is known of a context without asking its cluster. Holds no secret. */
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
  /** Sentences that a user should see before anything else, e.g. certificates that are not verified. */
  warnings: string[];
  /** Why a list of clusters does not ask it by itself, as a phrase: *its credentials come from a program*; null: it does. */
  notAsked: string | null;
  /** Why this context cannot be used; null when nothing is known against it. */
  problem: string | null;
};

export type LiveKube = Kube & { readonly warnings: readonly string[] };

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
