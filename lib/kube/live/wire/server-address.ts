import { isThisMachine } from '#lib/base/ip.ts';

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
 * Parses `server` like kubectl: without a scheme, https if the cluster has a TLS setting, else http. Null if it is no URL or has user info, whose password
 * would appear in every URL.
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
    loopback: isThisMachine(url.hostname),
  };
}
