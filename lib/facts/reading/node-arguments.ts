import { z } from 'zod';
import { nodeOf } from '#lib/kube/index.ts';
import type { Evidence } from '../schema.ts';
import { evidence } from './evidence.ts';
import { picked } from './query.ts';
import { nodeListing } from './sources.ts';

/** How a K3s or RKE2 node was started: the agent writes it into an annotation, as a JSON list. */
export type NodeArguments = { readonly node: string; readonly key: string; readonly arguments: readonly string[] };

const keys = ['rke2.io/node-args', 'k3s.io/node-args'];
const list = z.array(z.string()).max(500);

export const nodeArguments = picked(nodeListing, (object): NodeArguments | null => {
  // Most nodes of most clusters have none: parsed only when there is something to parse.
  const given = object.metadata.annotations ?? {};
  const key = keys.find((one) => given[one] !== undefined);
  if (key === undefined) return null;
  const { name, annotations } = nodeOf(object).metadata;
  try {
    const parsed = list.safeParse(JSON.parse(annotations[key] ?? ''));
    return parsed.success ? { node: name, key, arguments: parsed.data } : null;
  } catch {
    return null;
  }
});

export const isServer = ({ arguments: [command] }: NodeArguments): boolean => command === 'server';

/** `--kube-proxy-arg proxy-mode=ipvs`, which may stand there several times. */
export function proxyArgument({ arguments: all }: NodeArguments, name: string): string | null {
  const found = valuesOf(all, 'kube-proxy-arg').findLast((one) => one.replace(/^--/, '').startsWith(`${name}=`));
  return found === undefined ? null : found.slice(found.indexOf('=') + 1);
}

/**
 * Ranges that a server was started with, a flag for each or all in one; `usual` where none was given, which is what it then takes. Agents say nothing
 * of ranges.
 */
export function rangesOfServer(
  one: NodeArguments,
  flag: string,
  usual: string,
): { cidrs: readonly string[]; evidence: Evidence }[] {
  if (!isServer(one)) return [];
  const given = valuesOf(one.arguments, flag);
  const cidrs = given
    .flatMap((value) => value.split(','))
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '');
  const path = `metadata.annotations['${one.key}'] --${flag}`;
  const value = given.length > 0 ? given.join(',') : `not given: ${usual}`;
  return [{ cidrs: given.length > 0 ? cidrs : [usual], evidence: evidence(`Node/${one.node}`, path, value) }];
}

/** Both `--flag value` and `--flag=value`, in the order in which they stand. */
function valuesOf(all: readonly string[], flag: string): string[] {
  const start = `--${flag}=`;
  return all.flatMap((one, i) =>
    one === `--${flag}` ? [all[i + 1] ?? ''] : one.startsWith(start) ? [one.slice(start.length)] : [],
  );
}

export function isProxyDisabled({ arguments: all }: NodeArguments): boolean {
  return all.some((one, i) => {
    if (one === '--disable-kube-proxy=true') return true;
    return one === '--disable-kube-proxy' && all[i + 1] !== 'false';
  });
}
