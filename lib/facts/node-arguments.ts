import { z } from 'zod';
import { fields, metadata } from './lenient.ts';
import { picked } from './query.ts';
import { nodeListing } from './sources.ts';

/** How a K3s or RKE2 node was started: the agent writes it into an annotation, as a JSON list. */
export type NodeArguments = { readonly node: string; readonly key: string; readonly arguments: readonly string[] };

const keys = ['rke2.io/node-args', 'k3s.io/node-args'];
const node = fields({ metadata });
const list = z.array(z.string()).max(500);

export const nodeArguments = picked(nodeListing, (object): NodeArguments | null => {
  // Most nodes of most clusters have none: parsed only when there is something to parse.
  const given = object.metadata.annotations ?? {};
  const key = keys.find((one) => given[one] !== undefined);
  if (key === undefined) return null;
  const { name, annotations } = node.parse(object).metadata;
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
  const given = all.flatMap((one, i) =>
    one === '--kube-proxy-arg'
      ? [all[i + 1] ?? '']
      : one.startsWith('--kube-proxy-arg=')
        ? [one.slice('--kube-proxy-arg='.length)]
        : [],
  );
  const found = given.findLast((one) => one.replace(/^--/, '').startsWith(`${name}=`));
  return found === undefined ? null : found.slice(found.indexOf('=') + 1);
}

export function isProxyDisabled({ arguments: all }: NodeArguments): boolean {
  return all.some((one, i) => {
    if (one === '--disable-kube-proxy=true') return true;
    return one === '--disable-kube-proxy' && all[i + 1] !== 'false';
  });
}
