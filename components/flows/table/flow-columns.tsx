import type { ReactNode } from 'react';
import { StateMark } from '#components/ui/state-mark.tsx';
import { thousands } from '#lib/base/words.ts';
import { bytesText, decidedBy, endName, type Flow, wouldBeDenied } from '#lib/flows/in-browser.ts';

/** A column of the table of flows, after the time, which every row has. */
export type FlowColumn = {
  readonly id: string;
  readonly title: string;
  /** Its description in the list of columns. */
  readonly description: string;
  /** Classes. Columns without a width share what is left equally, so that no width depends on the contents. */
  readonly width?: string;
  /** Classes for the place of its cell on a narrow screen, where a flow takes three lines; absent: not shown there. */
  readonly narrow?: string;
  readonly is: 'words' | 'name' | 'number';
  readonly isUsual: boolean;
  text(flow: Flow): string;
  /** Where more than the text is drawn. */
  draw?(flow: Flow): ReactNode;
};

const verdictText = (flow: Flow) =>
  flow.verdict === 'denied'
    ? 'Denied'
    : wouldBeDenied(flow)
      ? 'Would deny'
      : flow.verdict === 'allowed'
        ? 'Allowed'
        : 'Passed on';

/** In their order in the table. */
export const flowColumns: readonly FlowColumn[] = [
  {
    id: 'verdict',
    title: 'Verdict',
    description: 'allowed, denied, or what staged policies would deny',
    width: 'w-30',
    narrow: '',
    is: 'words',
    isUsual: true,
    text: verdictText,
    // Allowed is the usual: it has no colour.
    draw: (flow) => {
      const text = verdictText(flow);
      if (text === 'Denied') return <StateMark state="bad">{text}</StateMark>;
      if (text === 'Would deny') return <StateMark state="unknown">{text}</StateMark>;
      return <span className="text-ink-2">{text}</span>;
    },
  },
  {
    id: 'reporter',
    title: 'Reported by',
    description: 'the end whose node and policies are shown',
    width: 'w-28',
    is: 'words',
    isUsual: false,
    text: ({ reporter }) => reporter,
  },
  {
    id: 'from',
    title: 'From',
    description: 'the workload or network that connects',
    narrow: 'max-sm:col-span-3',
    is: 'name',
    isUsual: true,
    text: ({ from }) => endName(from),
  },
  {
    id: 'to',
    title: 'To',
    description: 'the workload or network that it connects to',
    narrow: "max-sm:col-span-2 max-sm:before:content-['→_']",
    is: 'name',
    isUsual: true,
    text: ({ to }) => endName(to),
  },
  {
    id: 'service',
    title: 'Service',
    description: 'the Service that it connects to, if any',
    is: 'name',
    isUsual: false,
    text: ({ service }) => (service === null ? '' : `${service.namespace ?? ''}/${service.name}`),
  },
  {
    id: 'port',
    title: 'Port',
    description: 'port and protocol',
    width: 'w-24',
    narrow: 'max-sm:text-right!',
    is: 'words',
    isUsual: true,
    text: ({ port, protocol }) => `${port} ${protocol}`,
  },
  {
    id: 'decided',
    title: 'Decided by',
    description: 'the policy, profile or end of a tier',
    narrow: 'max-sm:col-span-3 max-sm:text-ink-2',
    is: 'name',
    isUsual: true,
    text: decidedBy,
  },
  {
    id: 'connections',
    title: 'Conns',
    description: 'connections that began',
    width: 'w-18',
    is: 'number',
    isUsual: true,
    text: ({ connections }) => thousands(connections.started),
  },
  {
    id: 'packets',
    title: 'Packets',
    description: 'both ways',
    width: 'w-24',
    is: 'number',
    isUsual: false,
    text: ({ packets }) => thousands(packets.in + packets.out),
  },
  {
    id: 'bytes',
    title: 'Bytes',
    description: 'both ways',
    width: 'w-22',
    narrow: 'max-sm:col-start-3 max-sm:row-start-1',
    is: 'number',
    isUsual: true,
    text: ({ bytes }) => bytesText(bytes.in + bytes.out),
  },
];

export const usualColumns: readonly string[] = flowColumns.filter(({ isUsual }) => isUsual).map(({ id }) => id);

/** The ids of columns that were remembered; what is not remembered, or no list, is the usual ones, and a strange id is none. */
export function readColumns(text: string | null): readonly string[] {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    return Array.isArray(kept) ? flowColumns.map(({ id }) => id).filter((id) => kept.includes(id)) : usualColumns;
  } catch {
    return usualColumns;
  }
}
