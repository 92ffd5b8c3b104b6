import { randomBytes } from 'node:crypto';
import { kubeconfigText } from '#lib/kube/index.ts';

/**
 * Who can sign in to the plane, by static token. Only `admin` has rights without a binding:
 * - `reader`: bound to the ClusterRole `view` and to reading nodes and Calico's kinds (standard-cluster.ts); no Secrets, no writes
 * - `applicant`: bound to nothing; permission tests bind it to the rights under test
 * - `stranger`: bound to nothing, and stays so
 */
export const userNames = ['admin', 'reader', 'applicant', 'stranger'] as const;
export type UserName = (typeof userNames)[number];
export type Tokens = Readonly<Record<UserName, string>>;

export function newTokens(): Tokens {
  return Object.fromEntries(userNames.map((name) => [name, randomBytes(16).toString('hex')])) as Tokens;
}

/** The API server's token file: token,user,uid,"groups". */
export function tokenFile(tokens: Tokens): string {
  return userNames
    .map((name) => `${tokens[name]},${name},${name},"${name === 'admin' ? 'system:masters' : `signalbox:${name}`}"\n`)
    .join('');
}

export function kubeconfigFor(plane: { url: string; ca: string }, user: UserName, token: string): string {
  const name = 'signalbox-test';
  return kubeconfigText({
    current: name,
    clusters: { [name]: { server: plane.url, 'certificate-authority-data': Buffer.from(plane.ca).toString('base64') } },
    users: { [user]: { token } },
    contexts: [[name, name, user]],
  });
}
