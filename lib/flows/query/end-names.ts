import type { FlowEnd } from '../flow.ts';

/** An end's name for people: `shop/checkout`, `PUBLIC NETWORK`. */
export function endName(end: FlowEnd): string {
  if (end.kind === 'network') return networkNames[end.name] ?? end.name;
  const name = ownerName(end);
  return end.namespace === null ? name : `${end.namespace}/${name}`;
}

/** The owner's name, by which people know pods of a Deployment, a DaemonSet or a Job: `checkout` for `checkout-7d9c6b8f5-*`. */
export function ownerName({ kind, name }: FlowEnd): string {
  return kind === 'workload' ? name.replace(/(?:-[bcdf-hj-np-tv-xz2-9]{6,10})?-\*$/, '') : name;
}

/** Shown names of networks, by Calico's names. */
export const networkNames: Readonly<Record<string, string>> = { pub: 'PUBLIC NETWORK', pvt: 'PRIVATE NETWORK' };
