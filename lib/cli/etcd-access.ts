import type { EtcdAccess } from '#lib/etcd/index.ts';
import { usageError } from './exit.ts';
import type { Flags } from './flags.ts';
import { readPemFile } from './read-file.ts';

/** Access to the user's etcd from the flags of `etcdFlags`; null without them. The files are read into memory and not stored. */
export async function etcdAccess(flags: Flags): Promise<EtcdAccess | null> {
  const endpoints = flags.text('etcd-endpoints');
  const [ca, certificate, key] = await Promise.all(
    ['etcd-ca', 'etcd-cert', 'etcd-key'].map((name) => {
      const path = flags.text(name);
      return path === undefined ? null : readPemFile(`--${name}`, path);
    }),
  );
  if (endpoints === undefined) {
    const lonely = ['etcd-ca', 'etcd-cert', 'etcd-key'].find((name) => flags.has(name));
    if (lonely !== undefined) throw usageError(`--${lonely} needs --etcd-endpoints beside it`);
    return null;
  }
  if ((certificate === null) !== (key === null))
    throw usageError('--etcd-cert and --etcd-key belong together; give both or none');
  return {
    endpoints: endpoints.split(',').map((one) => endpointOf(one.trim(), certificate !== null || ca !== null)),
    ca: ca ?? null,
    client: certificate && key ? { certificate, key } : null,
  };
}

function endpointOf(text: string, hasCertificates: boolean): URL {
  const refused = (because: string) =>
    usageError(
      `--etcd-endpoints: ${JSON.stringify(text)} ${because}; write https://HOST:PORT, as etcd_endpoints has it`,
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw refused('is not an address of etcd');
  if (url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw refused('holds more than host and port');
  // Without TLS, the certificates would not be used and the server not be verified.
  if (url.protocol === 'http:' && hasCertificates) throw refused('is without TLS, and certificates are given');
  return url;
}
