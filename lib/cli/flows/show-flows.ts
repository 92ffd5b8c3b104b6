import { counted } from '#lib/base/words.ts';
import {
  bytesText,
  csvHeading,
  csvLine,
  type Flow,
  flowData,
  flowLine,
  type Query,
  queryText,
  type TalkerGroup,
  talkersOf,
} from '#lib/flows/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { columns, rowsWidth, type Terminal } from '../terminal/terminal.ts';
import { flowHeadings, flowPair, flowRow } from './flow-rows.ts';
import { pairTable } from './pair-table.ts';

export const flowFormats = ['table', 'json', 'ndjson', 'csv'] as const;
type FlowFormat = (typeof flowFormats)[number];

const mostTalkers = 20;
/** Words for groups that not every flow belongs to. */
const heldBy: Readonly<Partial<Record<TalkerGroup, string>>> = {
  denied: 'was denied',
  external: 'came from outside or went there',
  dns: 'went to port 53',
};

/** Prints the flows of a query. */
export function showFlows(
  found: readonly Flow[],
  query: Query,
  format: FlowFormat,
  { kube }: OpenCluster,
  terminal: Terminal,
): void {
  switch (format) {
    case 'table':
      if (found.length === 0) tellNone(query, terminal);
      else
        terminal.out(
          pairTable([flowHeadings, ...found.map((flow) => flowRow(flow, terminal.paint))], flowPair, terminal),
        );
      break;
    case 'json':
      terminal.out(
        jsonText(
          {
            apiVersion: 'signalbox.dev/v1',
            kind: 'Flows',
            cluster: kube.name,
            query: queryText(query),
            flows: found.map(flowData),
          },
          2,
        ),
      );
      break;
    case 'ndjson':
      for (const flow of found) terminal.out(flowLine(flow));
      break;
    case 'csv':
      terminal.out([csvHeading, ...found.map(csvLine)].join('\n'));
  }
}

const tellNone = (query: Query, terminal: Terminal) =>
  terminal.err(`No flows: ${queryText(query)}. They come 30 to 45 s late.`);

/** Prints who talked most, as `by` groups them. */
export function showTalkers(
  found: readonly Flow[],
  query: Query,
  { by, format }: { by: TalkerGroup; format: FlowFormat },
  terminal: Terminal,
): void {
  const talkers = talkersOf(found, by, mostTalkers);
  if (format === 'json') {
    terminal.out(jsonText({ apiVersion: 'signalbox.dev/v1', kind: 'Talkers', by, talkers }, 2));
    return;
  }
  if (talkers.length === 0) {
    if (found.length === 0) tellNone(query, terminal);
    else terminal.err(`None of ${counted(found.length, 'flow')} ${heldBy[by] ?? ''}: ${queryText(query)}.`);
    return;
  }
  const rows = talkers.map(({ name, bytes, packets, connections, denied }) => [
    bytesText(bytes),
    String(packets),
    String(connections),
    denied > 0 ? terminal.paint('red', String(denied)) : '0',
    visibleLine(name),
  ]);
  terminal.out(columns([['BYTES', 'PACKETS', 'CONNS', 'DENIED', by.toUpperCase()], ...rows], rowsWidth(terminal)));
}
