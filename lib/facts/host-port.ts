import { BlockList, isIP } from 'node:net';

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
  return checked(hostname.replace(/^\[|\]$/g, ''), port === '' ? 443 : Number(port));
}

/**
 * A server as the list of contexts shows it, without its scheme; or as the kubeconfig has it. Null also for one with a path: that is something before
 * the API server, such as Rancher (`/k8s/clusters/c-m-1`), which an agent cannot use.
 */
export function parseServer(text: string | null): HostPort | null {
  if (text === null) return null;
  const url = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(url) && new URL(url).pathname !== '/' ? null : parseServerUrl(url);
}

function checked(host: string, port: number): HostPort | null {
  const isHost = isIP(host) !== 0 || (nameOfHost.test(host) && !/^[\d.]+$/.test(host));
  return isHost && Number.isInteger(port) && port >= 1 && port <= 65_535 ? { host, port } : null;
}

const local = new BlockList();
local.addSubnet('127.0.0.0', 8, 'ipv4');
local.addSubnet('0.0.0.0', 8, 'ipv4');
local.addSubnet('169.254.0.0', 16, 'ipv4');
local.addAddress('::1', 'ipv6');
local.addAddress('::', 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');

export function isInCidr(address: string, cidr: string): boolean {
  const family = isIP(address);
  const [network = '', prefix = ''] = cidr.split('/');
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(prefix)) return false;
  if (Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  range.addSubnet(network, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  return range.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Names that no resolver outside of the machine or the cluster answers. */
const privateNames = /(^|\.)(localhost|local|svc)\.?$|\.svc\.|^kubernetes\.default/i;

/**
 * Why an address is not dialled from here, or null: it means this very machine, a link, or a Service, and whatever answered
 * would not be what the nodes would reach.
 */
export function whyNotDialled(
  { host }: HostPort,
  { clusterIPs, serviceCIDRs }: { clusterIPs: readonly string[]; serviceCIDRs: readonly string[] },
): string | null {
  const family = isIP(host);
  if (family === 0)
    return privateNames.test(host) ? `${host} is a name that only a machine or the cluster itself knows` : null;
  if (local.check(host, family === 4 ? 'ipv4' : 'ipv6')) return `${host} means another machine wherever it is used`;
  if (clusterIPs.includes(host) || serviceCIDRs.some((cidr) => isInCidr(host, cidr)))
    return `${host} is the address of a Service`;
  return null;
}
