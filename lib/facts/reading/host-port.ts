import { isIP } from 'node:net';
import { withoutBrackets } from '#lib/base/ip.ts';
import { isPort } from '#lib/base/network/ports.ts';
import { isServiceAddress, type KnownServices } from '#lib/base/network/service-address.ts';
import { undialledRange } from '#lib/spec/index.ts';

export type HostPort = { readonly host: string; readonly port: number };

const nameOfHost = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?$/i;

/** `10.0.0.1:6443`, `[fd00::1]:6443`, `api.example.org`; null for anything else. */
export function parseHostPort(text: string, defaultPort: number): HostPort | null {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text.trim());
  if (!match) return isIP(text.trim()) === 6 ? { host: text.trim(), port: defaultPort } : null;
  return checked(match[1] ?? match[2] ?? '', match[3] === undefined ? defaultPort : Number(match[3]));
}

/** `https://host:port`, as kubeconfigs have it. */
export function parseServerUrl(text: string): HostPort | null {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { hostname, port } = new URL(text);
  return checked(withoutBrackets(hostname), port === '' ? 443 : Number(port));
}

/**
 * Host and port of a server, with or without the scheme. Null also for a URL with a path: it is a proxy before the API server, such as Rancher
 * (`/k8s/clusters/c-m-1`), which an agent cannot use.
 */
export function parseServer(text: string | null): HostPort | null {
  if (text === null) return null;
  const url = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(url) && new URL(url).pathname !== '/' ? null : parseServerUrl(url);
}

function checked(host: string, port: number): HostPort | null {
  const isHost = isIP(host) !== 0 || (nameOfHost.test(host) && !/^[\d.]+$/.test(host));
  return isHost && isPort(port) ? { host, port } : null;
}

/** Names that only the machine itself or the cluster resolves. */
const privateNames = /(^|\.)(localhost|local|svc)\.?$|\.svc\.|^kubernetes\.default/i;

/** Why a host means something else on this machine than on the nodes, as a phrase; null: it does not. */
export function whyNotFromHere({ host }: HostPort, services: KnownServices): string | null {
  if (isIP(host) === 0)
    return privateNames.test(host) ? `${host} is a name that only a machine or the cluster itself knows` : null;
  return isServiceAddress(host, services) ? `${host} is the address of a Service` : null;
}

/** Why an address cannot be an endpoint, as a phrase; null: it can. Refuses what `whyNotFromHere` does, and addresses that mean another machine on each node. */
export function whyNoEndpoint(address: HostPort, services: KnownServices): string | null {
  const range = isIP(address.host) === 0 ? null : undialledRange(address.host);
  return range === null ? whyNotFromHere(address, services) : `${address.host} is ${range.is}`;
}
