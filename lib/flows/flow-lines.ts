import { jsonText, visibleLine } from '#lib/text/index.ts';
import type { Flow } from './flow.ts';
import { decidedBy, stagedSentence, trailLines, trailSentence } from './trail/policy-trail.ts';

/** A flow as JSON, with times in RFC 3339 and the deciding policy in words. Add fields, never rename them (cli.md). */
export function flowData(flow: Flow): object {
  const { start, end, ...rest } = flow;
  return {
    ...rest,
    start: flowTime(start),
    end: flowTime(end),
    why: trailSentence(flow),
    trail: trailLines(flow),
    staged: stagedSentence(flow),
  };
}

/** A flow as a line of JSON. */
export const flowLine = (flow: Flow) => jsonText(flowData(flow));

const csvColumns: readonly [string, (flow: Flow) => string | number][] = [
  ['start', ({ start }) => flowTime(start)],
  ['end', ({ end }) => flowTime(end)],
  ['verdict', ({ verdict }) => verdict],
  ['reporter', ({ reporter }) => reporter],
  ['from_namespace', ({ from }) => from.namespace ?? ''],
  ['from_name', ({ from }) => from.name],
  ['to_namespace', ({ to }) => to.namespace ?? ''],
  ['to_name', ({ to }) => to.name],
  ['service', ({ service }) => (service === null ? '' : `${service.namespace ?? ''}/${service.name}`)],
  ['protocol', ({ protocol }) => protocol],
  ['port', ({ port }) => port],
  ['decided_by', decidedBy],
  ['connections', ({ connections }) => connections.started],
  ['packets', ({ packets }) => packets.in + packets.out],
  ['bytes', ({ bytes }) => bytes.in + bytes.out],
  ['why', trailSentence],
  // When following, a later line with the same id has higher counts and replaces the earlier one.
  ['id', ({ id }) => id],
];

export const csvHeading = csvColumns.map(([name]) => name).join(',');
export const csvLine = (flow: Flow) => csvColumns.map(([, of]) => csvCell(of(flow))).join(',');

/** A cell of RFC 4180. A text that a spreadsheet would evaluate as a formula gets an apostrophe in front. */
function csvCell(value: string | number): string {
  const text = visibleLine(String(value));
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Seconds since the epoch in RFC 3339; empty if they are out of range. */
export const flowTime = (seconds: number) => {
  const date = new Date(seconds * 1000);
  // Dates end in the year 275760. A clock that is wrong by more gives no time.
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
};
