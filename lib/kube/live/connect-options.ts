import type { Clock } from '../clock.ts';

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
