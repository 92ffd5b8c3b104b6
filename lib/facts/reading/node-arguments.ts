import { z } from 'zod';
import { nodeOf } from '#lib/kube/index.ts';
import type { Evidence } from '../schema.ts';
import { evidence } from './evidence.ts';
import { picked } from './query.ts';
import { nodeListing } from './sources.ts';

/** Arguments of a K3s or RKE2 node, which its agent writes into an annotation as a JSON list. */
export type NodeArguments = { readonly node: string; readonly key: string; readonly arguments: readonly string[] };

const keys = ['rke2.io/node-args', 'k3s.io/node-args'];
const list = z.array(z.string()).max(500);

/** The arguments of each node of K3s or RKE2. Annotations that are no list of texts are ignored. */
export const nodeArguments = picked(nodeListing, (object): NodeArguments | null => {
  // Most nodes have none and are not parsed.
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

/** Whether the node runs a server of K3s or RKE2, and not only an agent. */
export const isServer = ({ arguments: [command] }: NodeArguments): boolean => command === 'server';

/** A value of `--kube-proxy-arg NAME=VALUE`, which may occur several times; null: it is not given. */
export function proxyArgument({ arguments: all }: NodeArguments, name: string): string | null {
  const found = valuesOf(all, 'kube-proxy-arg').findLast((one) => one.replace(/^--/, '').startsWith(`${name}=`));
  return found === undefined ? null : found.slice(found.indexOf('=') + 1);
}

/** Ranges that a server was started with, in one flag or several; `usual`, the server's default, if none was given. Agents have no such flag. */
export function rangesOfServer(
  one: NodeArguments,
  flag: string,
  usual: string,
): { cidrs: readonly string[]; evidence: Evidence }[] {
  if (!isServer(one)) return [];
  const values = valuesOf(one.arguments, flag);
  const cidrs = values
    .flatMap((value) => value.split(','))
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '');
  const path = `metadata.annotations['${one.key}'] --${flag}`;
  const value = values.length > 0 ? values.join(',') : `not given: ${usual}`;
  return [{ cidrs: values.length > 0 ? cidrs : [usual], evidence: evidence(`Node/${one.node}`, path, value) }];
}

/** All values of a flag, as `--flag value` and `--flag=value`, in order. */
function valuesOf(all: readonly string[], flag: string): string[] {
  const start = `--${flag}=`;
  return all.flatMap((one, i) =>
    one === `--${flag}` ? [all[i + 1] ?? ''] : one.startsWith(start) ? [one.slice(start.length)] : [],
  );
}

/** Whether a server of K3s or RKE2 was started with `--disable-kube-proxy`. */
export function isProxyDisabled({ arguments: all }: NodeArguments): boolean {
  return all.some((one, i) => {
    if (one === '--disable-kube-proxy=true') return true;
    return one === '--disable-kube-proxy' && all[i + 1] !== 'false';
  });
}
