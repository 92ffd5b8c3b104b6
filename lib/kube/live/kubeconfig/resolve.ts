import { readFile } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { anonymous, fixedCredentials } from '../credentials/credential.ts';
import { userCredentials } from '../credentials/user-credentials.ts';
import { codeOf, Redactor, type Secret } from '../secret.ts';
import { parseServerAddress, type ServerAddress } from '../wire/server-address.ts';
import type { ClusterAccess } from './access.ts';
import type { ChosenContext } from './choose.ts';
import type { FromFile } from './load.ts';
import { kubeconfigProblem } from './problem.ts';
import type { ClusterEntry, UserEntry } from './schema.ts';

/** How to reach the cluster of a chosen context. Reads the files that it names and runs no program. Rejects with `invalid` or `credentials`. */
export async function resolveAccess(
  chosen: ChosenContext,
  uses: { clock: Clock; env: Readonly<Record<string, string | undefined>> },
): Promise<ClusterAccess> {
  const { value: cluster } = chosen.cluster;
  const redactor = new Redactor();
  redactor.learn(...proxySecrets(cluster['proxy-url']), ...(chosen.user ? secretsOf(chosen.user.value) : []));
  const plugin = chosen.user?.value.exec;
  if (plugin) redactor.learnArguments(...plugin.args, ...plugin.env.map(({ value }) => value));

  const server = serverOf(chosen);
  const authorities = await authoritiesOf(chosen);
  if (cluster['insecure-skip-tls-verify'] && authorities !== null) {
    throw kubeconfigProblem(
      at(chosen, 'insecure-skip-tls-verify'),
      'it cannot be combined with a certificate authority: remove one of them.',
    );
  }
  return {
    name: chosen.name,
    server,
    namespace: chosen.context.value.namespace,
    authorities,
    serverName: cluster['tls-server-name'],
    verification: cluster['insecure-skip-tls-verify'] ? 'none' : 'full',
    proxy: cluster['proxy-url'],
    compression: cluster['disable-compression'] ? 'unwanted' : 'wanted',
    impersonation: chosen.user ? impersonationOf(chosen.user, chosen.userName) : {},
    credentials:
      chosen.user && chosen.userName !== null
        ? await userCredentials(chosen.userName, chosen.user, {
            ...uses,
            redactor,
            cluster: { server: server.origin + server.prefix, authorities, entry: cluster },
          })
        : fixedCredentials(anonymous),
    redactor,
  };
}

/** A field of the chosen cluster and its file, in words. */
function at(chosen: ChosenContext, field: string): string {
  return `clusters "${chosen.clusterName}": ${field}, in ${chosen.cluster.file}`;
}

/**
 * The API server's address in the chosen context. Without a scheme it is https if the entry mentions TLS, like client-go. Throws `invalid` if it is no
 * such URL.
 */
export function serverOf(chosen: ChosenContext): ServerAddress {
  const { value: cluster } = chosen.cluster;
  const where = at(chosen, 'server');
  if (cluster.server === null) throw kubeconfigProblem(where, 'the address of the API server is missing.');
  const server = parseServerAddress(
    cluster.server.reveal(),
    speaksOfTls(cluster, chosen.user?.value) ? 'https' : 'http',
  );
  if (!server) {
    throw kubeconfigProblem(where, 'an http or https URL is needed, without user name, password, query or fragment.');
  }
  return server;
}

function speaksOfTls(cluster: ClusterEntry, user: UserEntry | undefined): boolean {
  return Boolean(
    cluster['certificate-authority'] ??
      cluster['certificate-authority-data'] ??
      user?.['client-certificate'] ??
      user?.['client-certificate-data'] ??
      cluster['insecure-skip-tls-verify'],
  );
}

async function authoritiesOf(chosen: ChosenContext): Promise<string | null> {
  const { value: cluster } = chosen.cluster;
  const data = cluster['certificate-authority-data'];
  if (data !== null) return pemOf(data, at(chosen, 'certificate-authority-data'));
  const path = cluster['certificate-authority'];
  if (path === null) return null;
  const where = at(chosen, 'certificate-authority');
  try {
    return onlyPem(await readFile(path, 'utf8'), where);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    throw kubeconfigProblem(where, `${path} ${codeOf(error) === 'ENOENT' ? 'does not exist' : 'cannot be read'}.`);
  }
}

/** Decodes a `…-data` field: PEM in Base64. */
function pemOf(data: string, where: string): string {
  return onlyPem(Buffer.from(data, 'base64').toString('utf8'), where);
}

function onlyPem(text: string, where: string): string {
  if (!text.includes('-----BEGIN '))
    throw kubeconfigProblem(where, 'a PEM certificate is needed (-----BEGIN CERTIFICATE-----).');
  return text;
}

function impersonationOf(user: FromFile<UserEntry>, name: string | null): Record<string, string | string[]> {
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user.value;
  const headers: Record<string, string | string[]> = {};
  if (as === null) {
    if (uid !== null || groups.length > 0 || Object.keys(extra ?? {}).length > 0) {
      throw kubeconfigProblem(
        `users "${name}": as, in ${user.file}`,
        'as-uid, as-groups and as-user-extra need a user to act as.',
      );
    }
    return headers;
  }
  headers['impersonate-user'] = as;
  if (uid !== null) headers['impersonate-uid'] = uid;
  if (groups.length > 0) headers['impersonate-group'] = groups;
  for (const [key, values] of Object.entries(extra ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = values;
  }
  for (const value of Object.values(headers).flat()) {
    if (/[^\x20-\x7e]/.test(value)) {
      throw kubeconfigProblem(`users "${name}": as…, in ${user.file}`, 'a header can carry printable ASCII only.');
    }
  }
  return headers;
}

function secretsOf(user: UserEntry) {
  return [
    user.token,
    user.password,
    user['client-key-data'],
    user['client-certificate-data'],
    ...Object.values(user['auth-provider']?.config ?? {}),
  ];
}

/** The secrets in a proxy's address: all of it, and its password alone, because errors may print that alone. */
function proxySecrets(url: Secret | null): (Secret | string)[] {
  if (url === null || !URL.canParse(url.reveal())) return url === null ? [] : [url];
  const { password } = new URL(url.reveal());
  return [url, password, safeDecode(password)];
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
