import {
  bytesText,
  decidedBy,
  endName,
  type Flow,
  stagedSentence,
  trailLines,
  trailSentence,
} from '#lib/flows/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import type { Colour, Paint } from '../terminal/terminal.ts';

export const flowHeadings = ['TIME', 'VERDICT', 'AT', 'FROM', 'TO', 'PORT', 'DECIDED BY', 'CONNS', 'BYTES'];

/** A flow as a row of a table. Nothing of a cluster comes unseen onto a terminal. */
export function flowRow(flow: Flow, paint: Paint): string[] {
  const colour: Readonly<Record<Flow['verdict'], Colour>> = { allowed: 'dim', denied: 'red', passed: 'dim' };
  const staged = stagedSentence(flow) === null ? '' : ' (staged: otherwise)';
  return [
    iso(flow.end).slice(11, 19),
    paint(colour[flow.verdict], flow.verdict),
    flow.reporter === 'source' ? 'src' : 'dst',
    visibleLine(endName(flow.from)),
    visibleLine(endName(flow.to)),
    visibleLine(`${flow.port} ${flow.protocol}`),
    visibleLine(`${decidedBy(flow)}${staged}`),
    String(flow.connections.started),
    bytesText(flow.bytes.in + flow.bytes.out),
  ];
}

/** A flow as JSON: times in RFC 3339, and what decided in words. Fields are added, never renamed (cli.md). */
export function flowData(flow: Flow): object {
  const { start, end, ...rest } = flow;
  return {
    ...rest,
    start: iso(start),
    end: iso(end),
    why: trailSentence(flow),
    trail: trailLines(flow),
    staged: stagedSentence(flow),
  };
}

/** One JSON object on one line. */
export const flowLine = (flow: Flow) => jsonText(flowData(flow));

const csvColumns: readonly [string, (flow: Flow) => string | number][] = [
  ['start', ({ start }) => iso(start)],
  ['end', ({ end }) => iso(end)],
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

export const iso = (seconds: number) => {
  const date = new Date(seconds * 1000);
  // Year 275760 is the last that a date can be: a clock that is wrong by more has no time of day.
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
};
