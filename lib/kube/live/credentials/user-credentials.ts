import type { FromFile } from '../kubeconfig/load.ts';
import { credentialsProblem } from '../kubeconfig/problem.ts';
import type { UserEntry } from '../kubeconfig/schema.ts';
import { Secret } from '../secret.ts';
import { checkedCertificate } from './client-certificate.ts';
import { type Credentials, combinedCredentials, fixedCredentials } from './credential.ts';
import { execCredentials } from './exec-plugin.ts';
import { oidcCredentials } from './oidc.ts';
import type { UserUses } from './user-uses.ts';
import {
  bearer,
  type CredentialFile,
  fileCredentials,
  readCredentialFile,
  tokenFileCredentials,
} from './watched-files.ts';

/**
 * A kubeconfig user → credentials, in kubectl's order: a token or a password wins over a plug-in or provider, and a client
 * certificate is used beside any of them. What kubectl refuses is refused with the field's name.
 */
export async function userCredentials(
  name: string,
  { value: user, file }: FromFile<UserEntry>,
  uses: UserUses,
): Promise<Credentials> {
  const at = (field: string) => `users "${name}": ${field}, in ${file}`;
  refuseContradictions(user, at);
  const sources = [await certificateSource(user, at, uses), await headerSource(user, at, uses)];
  return combinedCredentials(sources.filter((source) => source !== null));
}

type At = (field: string) => string;

function refuseContradictions(user: UserEntry, at: At): void {
  const hasPassword = user.username !== null || user.password !== null;
  if (user.token !== null && hasPassword) {
    throw credentialsProblem(at('token'), 'it cannot be combined with username and password: remove one of them.');
  }
  if (user.exec && user['auth-provider']) {
    throw credentialsProblem(at('exec'), 'it cannot be combined with auth-provider: remove one of them.');
  }
}

async function headerSource(user: UserEntry, at: At, uses: UserUses): Promise<Credentials | null> {
  if (user.tokenFile !== null) {
    const fromFile = tokenFileCredentials({ path: user.tokenFile, where: at('tokenFile') }, uses);
    if (user.token === null) return fromFile;
    // With both, the file wins while it can be read (kubeconfig.v1, AuthInfo).
    const fallback = fixedCredentials({ authorization: bearer(user.token, at('token')), certificate: null });
    return { get: (refused) => fromFile.get(refused).catch(() => fallback.get(refused)) };
  }
  if (user.token !== null)
    return fixedCredentials({ authorization: bearer(user.token, at('token')), certificate: null });
  if (user.username !== null || user.password !== null) {
    const pair = `${user.username ?? ''}:${user.password?.reveal() ?? ''}`;
    const encoded = Buffer.from(pair).toString('base64');
    uses.redactor.learn(encoded);
    return fixedCredentials({ authorization: new Secret(`Basic ${encoded}`), certificate: null });
  }
  if (user.exec) return execCredentials(user.exec, at, uses);
  if (user['auth-provider']) return oidcCredentials(user['auth-provider'], at, uses);
  return null;
}

/** `…-data` wins over the file of the same name, each on its own, as in kubectl. */
async function certificateSource(user: UserEntry, at: At, uses: UserUses): Promise<Credentials | null> {
  const cert = fileOrData(user['client-certificate-data'], user['client-certificate'], at, 'client-certificate');
  const key = fileOrData(user['client-key-data'], user['client-key'], at, 'client-key');
  if (!cert && !key) return null;
  if (!cert) throw credentialsProblem(at('client-certificate'), 'a client key is given without its certificate.');
  if (!key) throw credentialsProblem(at('client-key'), 'a client certificate is given without its key.');

  const files = [cert, key].flatMap(({ file }) => (file ? [file] : []));
  const make = (contents: readonly string[]) => {
    const rest = [...contents];
    const certText = cert.data ?? rest.shift() ?? '';
    const keyText = key.data ?? rest.shift() ?? '';
    return { authorization: null, certificate: checkedCertificate(certText, keyText, cert.where, key.where) };
  };
  if (files.length === 0) return fixedCredentials(make([]));
  // Read now, so that a missing file is reported when the cluster is chosen, not at a later call.
  await Promise.all(files.map(readCredentialFile));
  return fileCredentials(files, make, uses);
}

type FileOrData = { where: string; data: string | null; file: CredentialFile | null };

function fileOrData(data: Secret | null, path: string | null, at: At, field: string): FileOrData | null {
  if (data !== null) {
    return { where: at(`${field}-data`), data: Buffer.from(data.reveal(), 'base64').toString('utf8'), file: null };
  }
  return path === null ? null : { where: at(field), data: null, file: { path, where: at(field) } };
}
