import type { Flow, FlowEnd } from '../../flow.ts';
import { endName } from '../../query/end-names.ts';
import { decidedBy, stagedSentence, trailSentence } from '../../trail/policy-trail.ts';
import type { Collected } from '../collected.ts';

/** OTLP as JSON (opentelemetry-proto v1.5, logs.proto), in which 64-bit numbers are texts. */
type Attribute = { key: string; value: { stringValue: string } | { intValue: string } };
export type LogRecord = {
  timeUnixNano: string;
  observedTimeUnixNano: string;
  severityNumber: number;
  severityText: string;
  eventName: string;
  body: { stringValue: string };
  attributes: Attribute[];
};

/** Severity numbers of the protocol. */
const info = { severityNumber: 9, severityText: 'INFO' };
const warning = { severityNumber: 13, severityText: 'WARN' };

/** `observedAt`: the time of arrival here, in seconds since the epoch. */
export function logRecord(record: Collected, observedAt: number): LogRecord {
  const observedTimeUnixNano = nanoseconds(observedAt);
  if (record.type === 'lost') {
    const { since, until, because } = record;
    return {
      timeUnixNano: nanoseconds(until),
      observedTimeUnixNano,
      ...warning,
      eventName: 'signalbox.flows.lost',
      body: { stringValue: `Flows may be missing: ${because}.` },
      attributes: attributes({ 'flow.lost.since': since, 'flow.lost.until': until, 'flow.lost.because': because }),
    };
  }
  const { flow } = record;
  return {
    timeUnixNano: nanoseconds(flow.end),
    observedTimeUnixNano,
    ...(flow.verdict === 'denied' ? warning : info),
    eventName: 'signalbox.flow',
    body: { stringValue: `${endName(flow.from)} → ${endName(flow.to)}:${flow.port} ${flow.protocol}: ${flow.verdict}` },
    attributes: attributes(attributesOf(flow)),
  };
}

/** Attributes of a flow; add, never rename. A later record with the same `flow.id` and higher counts replaces the earlier one. */
function attributesOf(flow: Flow): Record<string, string | number | null> {
  const { from, to, service, bytes, packets, connections } = flow;
  return {
    'flow.id': flow.id,
    'flow.start': flow.start,
    'flow.end': flow.end,
    'flow.verdict': flow.verdict,
    'flow.reporter': flow.reporter,
    ...endOf('from', from),
    ...endOf('to', to),
    'flow.service.namespace': service?.namespace ?? null,
    'flow.service.name': service?.name ?? null,
    'network.transport': flow.protocol.toLowerCase(),
    'destination.port': flow.port,
    'flow.bytes.in': bytes.in,
    'flow.bytes.out': bytes.out,
    'flow.packets.in': packets.in,
    'flow.packets.out': packets.out,
    'flow.connections.started': connections.started,
    'flow.connections.completed': connections.completed,
    'flow.connections.live': connections.live,
    'flow.decided_by': decidedBy(flow),
    'flow.why': trailSentence(flow),
    'flow.staged': stagedSentence(flow),
  };
}

const endOf = (end: 'from' | 'to', { kind, namespace, name, labels }: FlowEnd) => ({
  [`flow.${end}.kind`]: kind,
  [`flow.${end}.namespace`]: namespace,
  [`flow.${end}.name`]: name,
  [`flow.${end}.labels`]: labels.length === 0 ? null : labels.join(','),
});

/** Null and empty values are left out. */
export function attributes(given: Readonly<Record<string, string | number | null>>): Attribute[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === null || value === '') return [];
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }];
  });
}

const nanoseconds = (seconds: number) => `${Math.round(seconds * 1000)}000000`;
