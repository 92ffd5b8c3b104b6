import type { FlowEnd } from '../flow.ts';

/** `shop/checkout`, `PUBLIC NETWORK`: as people name it. */
export function endName(end: FlowEnd): string {
  if (end.kind === 'network') return networkNames[end.name] ?? end.name;
  const name = ownerName(end);
  return end.namespace === null ? name : `${end.namespace}/${name}`;
}

/** `checkout` of `checkout-7d9c6b8f5-*`: what people call the pods of a Deployment, a DaemonSet, a Job. */
export function ownerName({ kind, name }: FlowEnd): string {
  return kind === 'workload' ? name.replace(/(?:-[bcdf-hj-np-tv-xz2-9]{6,10})?-\*$/, '') : name;
}

/** What Calico calls networks, and what is shown of it. */
export const networkNames: Readonly<Record<string, string>> = { pub: 'PUBLIC NETWORK', pvt: 'PRIVATE NETWORK' };
