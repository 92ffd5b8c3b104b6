import type { Clock } from '../clock.ts';

/** Selects a cluster. kubectl's precedence fills absent fields. `env`, `home` and `serviceAccountFolder` are for tests. */
export type ConnectOptions = {
  /** `--kubeconfig`: only this file, which must exist. Default: KUBECONFIG, then ~/.kube/config, then the pod's service account. */
  kubeconfig?: string | undefined;
  /** `--context`. Default: current-context. */
  context?: string | undefined;
  /** Limit for each call that sets none; default 30 s. Watches, followed logs and commands in pods have limits of their own. */
  timeoutMs?: number | undefined;
  env?: Readonly<Record<string, string | undefined>> | undefined;
  home?: string | undefined;
  serviceAccountFolder?: string | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
};
