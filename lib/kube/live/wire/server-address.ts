/** `https://host:6443/k8s/clusters/c-xyz` → origin, host for sentences, and the prefix that Rancher and others put before every path. */
export type ServerAddress = {
  /** `https://host:6443` */
  readonly origin: string;
  /** `host:6443` */
  readonly host: string;
  /** `/k8s/clusters/c-xyz`, or empty. */
  readonly prefix: string;
  readonly loopback: boolean;
};

/**
 * kubectl's reading of `server`: without a scheme, https when there is anything about TLS, else http. Null when it is no URL, or
 * one with user info: such a password would go around in every URL.
 */
export function parseServerAddress(server: string, schemeless: 'https' | 'http'): ServerAddress | null {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `${schemeless}://${server}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return {
    origin: url.origin,
    host: url.host,
    prefix: url.pathname.replace(/\/+$/, ''),
    loopback: url.hostname === 'localhost' || url.hostname === '[::1]' || url.hostname.startsWith('127.'),
  };
}
