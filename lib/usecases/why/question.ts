import { isPort } from '#lib/base/network/ports.ts';
import type { EndQuery } from './pod-ends.ts';

/** Who connects, and to what: a port of a pod. `protocol` in capitals. */
export type WhyQuestion = {
  readonly from: EndQuery;
  readonly to: EndQuery;
  readonly port: number;
  readonly protocol: string;
};

/** Parses a question: `shop/checkout`, `payments/ledger-db:5432` or `kube-system/k8s-app=kube-dns:53/udp`. Returns a string if it is not one: the reason. */
export function readWhyQuestion(from: string, to: string): WhyQuestion | string {
  const source = endOf(from);
  if (typeof source === 'string') return source;
  const [, name, port, protocol = 'tcp'] = /^(.+):(\d{1,5})(?:\/(tcp|udp|sctp))?$/i.exec(to) ?? [];
  if (name === undefined || !isPort(Number(port)))
    return `${JSON.stringify(to)} names no port; write NAMESPACE/POD:PORT or NAMESPACE/POD:PORT/udp`;
  const destination = endOf(name);
  if (typeof destination === 'string') return destination;
  return { from: source, to: destination, port: Number(port), protocol: protocol.toUpperCase() };
}

function endOf(word: string): EndQuery | string {
  const [, namespace, rest] = /^([a-z0-9-]+)\/(.+)$/.exec(word) ?? [];
  if (namespace === undefined || rest === undefined)
    return `${JSON.stringify(word)} is not a pod; write NAMESPACE/POD or NAMESPACE/KEY=VALUE`;
  return rest.includes('=') ? { namespace, labels: rest } : { namespace, name: rest };
}
