import { jsonText, visibleLine } from '#lib/text/index.ts';
import type { Flow } from './flow.ts';
import { decidedBy, stagedSentence, trailLines, trailSentence } from './trail/policy-trail.ts';

/** A flow as JSON: times in RFC 3339, and what decided in words. Fields are added, never renamed (cli.md). */
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

/** One JSON object on one line. */
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
  // Of a watch: a flow that is told again with more takes the place of the one with its id.
  ['id', ({ id }) => id],
];

export const csvHeading = csvColumns.map(([name]) => name).join(',');
export const csvLine = (flow: Flow) => csvColumns.map(([, of]) => csvCell(of(flow))).join(',');

/** RFC 4180. A cell that a spreadsheet would take for a formula is told that it is text. */
function csvCell(value: string | number): string {
  const text = visibleLine(String(value));
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** RFC 3339 of seconds since the epoch; empty for what is no possible time. */
export const flowTime = (seconds: number) => {
  const date = new Date(seconds * 1000);
  // Year 275760 is the last that a date can be: a clock that is wrong by more has no time of day.
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
};
