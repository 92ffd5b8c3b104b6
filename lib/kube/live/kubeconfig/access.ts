import type { Credentials } from '../credentials/credential.ts';
import type { Redactor, Secret } from '../secret.ts';
import type { ServerAddress } from '../wire/server-address.ts';

/** Everything that a connection to one cluster needs, from a kubeconfig or a pod. */
export type ClusterAccess = {
  /** Context name, or `in-cluster`. */
  readonly name: string;
  readonly server: ServerAddress;
  readonly namespace: string | null;
  /** PEM of the only trusted authorities; null: those of the system. */
  readonly authorities: string | null;
  readonly serverName: string | null;
  /** `none`: `insecure-skip-tls-verify`, any certificate is accepted. Allowed, but always shown as a warning. */
  readonly verification: 'full' | 'none';
  /** `proxy-url`; null: HTTPS_PROXY and NO_PROXY of the environment decide. */
  readonly proxy: Secret | null;
  readonly compression: 'wanted' | 'unwanted';
  readonly impersonation: Readonly<Record<string, string | string[]>>;
  readonly credentials: Credentials;
  readonly redactor: Redactor;
};
