import type { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { credentialsProblem } from '../kubeconfig/problem.ts';
import type { userSchema } from '../kubeconfig/schema.ts';
import type { Secret } from '../secret.ts';
import type { Credentials } from './credential.ts';
import { bearer } from './watched-files.ts';

type AuthProvider = NonNullable<z.output<typeof userSchema>['auth-provider']>;

/**
 * kubectl's old `auth-provider`, of which kubectl still has only `oidc`. Its id-token is used while it is valid and never refreshed here: many issuers
 * rotate the refresh token at each use, and unless the new one is written back into the kubeconfig, the user's kubectl is locked out. The error says how
 * to get a new token.
 */
export function oidcCredentials(
  provider: AuthProvider,
  at: (field: string) => string,
  { clock }: { clock: Clock },
): Credentials {
  const where = at('auth-provider');
  if (provider.name !== 'oidc') {
    const plugin = { gcp: 'gke-gcloud-auth-plugin', azure: 'kubelogin' }[provider.name];
    throw credentialsProblem(
      where,
      `"${provider.name}" was removed from Kubernetes${plugin ? `; its exec plug-in ${plugin} takes its place` : ''}.`,
    );
  }
  const token = provider.config?.['id-token'];
  if (!token) throw credentialsProblem(at('auth-provider.config.id-token'), `there is no id-token. ${renewIt}`);
  const credential = { authorization: bearer(token, at('auth-provider.config.id-token')), certificate: null };
  const expiresAt = expiryOf(token);
  return {
    async get() {
      if (expiresAt !== null && clock.now() >= expiresAt) {
        throw credentialsProblem(where, `the id-token expired at ${new Date(expiresAt).toISOString()}. ${renewIt}`);
      }
      return credential;
    },
  };
}

const renewIt = 'Run a kubectl command with this context, which stores a new one. Then try again.';

/** `exp` of a JSON Web Token, in milliseconds; null when it cannot be read: then the server decides. */
function expiryOf(token: Secret): number | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.reveal().split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof payload !== 'object' || payload === null || !('exp' in payload)) return null;
    return typeof payload.exp === 'number' ? payload.exp * 1000 : null;
  } catch {
    return null;
  }
}
