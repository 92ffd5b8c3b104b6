import type { Credentials } from '../credentials/credential.ts';
import type { Redactor, Secret } from '../secret.ts';
import type { ServerAddress } from '../wire/server-address.ts';

/** Everything that is needed to speak to one cluster, wherever it was read from. */
export type ClusterAccess = {
  /** Context name, or `in-cluster`. */
  readonly name: string;
  readonly server: ServerAddress;
  readonly namespace: string | null;
  /** PEM. The only authorities that are trusted; null: those of the system. */
  readonly authorities: string | null;
  readonly serverName: string | null;
  /** `insecure-skip-tls-verify`: any certificate is taken. Allowed, and always said aloud. */
  readonly verification: 'full' | 'none';
  /** `proxy-url`; null: HTTPS_PROXY and NO_PROXY of the environment decide. */
  readonly proxy: Secret | null;
  readonly compression: 'wanted' | 'unwanted';
  readonly impersonation: Readonly<Record<string, string | string[]>>;
  readonly credentials: Credentials;
  readonly redactor: Redactor;
};
