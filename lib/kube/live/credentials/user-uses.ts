import type { Clock } from '../../clock.ts';
import type { ClusterEntry } from '../kubeconfig/schema.ts';
import type { Redactor } from '../secret.ts';

/** What `userCredentials` needs to turn a kubeconfig user into credentials, and the cluster that they are for. */
export type UserUses = {
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  redactor: Redactor;
  cluster: { server: string; authorities: string | null; entry: ClusterEntry };
};
