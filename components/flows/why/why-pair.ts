import { endName, type Flow } from '#lib/flows/in-browser.ts';

/** The two ends of a question, as typed. */
export type WhyPair = { readonly from: string; readonly to: string };

const arrow = ' → ';

/** The pair in URLs: `shop/checkout → payments/ledger-db:5432`. */
export const pairText = ({ from, to }: WhyPair): string => `${from}${arrow}${to}`;

export function readPair(text: string): WhyPair {
  const [from = '', to = ''] = text.split(arrow);
  return { from, to };
}

/** The question for a flow; null if an end is no pod or its protocol is not supported. */
export function pairOfFlow({
  from,
  to,
  port,
  protocol,
}: Pick<Flow, 'from' | 'to' | 'port' | 'protocol'>): WhyPair | null {
  const known = ['TCP', 'UDP', 'SCTP'].includes(protocol.toUpperCase());
  if (from.kind !== 'workload' || to.kind !== 'workload' || !known || port === 0) return null;
  const suffix = protocol.toUpperCase() === 'TCP' ? '' : `/${protocol.toLowerCase()}`;
  return { from: endName(from), to: `${endName(to)}:${port}${suffix}` };
}
