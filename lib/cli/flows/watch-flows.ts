import { duration } from '#lib/base/words.ts';
import { inOneLine } from '#lib/flows/flow-error.ts';
import {
  aggregatorPart,
  csvHeading,
  csvLine,
  flowLine,
  followFlows,
  matchesQuery,
  openFlowClient,
  type Query,
} from '#lib/flows/index.ts';
import { systemClock } from '#lib/kube/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { OpenCluster } from '../open-cluster.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { flowHeadings, flowPair, flowRow } from './flow-rows.ts';
import { pairRows } from './pair-table.ts';

export type FlowFormat = 'table' | 'json' | 'ndjson' | 'csv';

/** Column widths of an endless table; a longer value shifts only its own line. */
const widths = [8, 7, 3, 30, 30, 10, 28, 5, 8, 5];

/** Prints flows as they arrive, until the signal aborts. */
export async function watchFlows(
  { kube }: OpenCluster,
  query: Query,
  {
    format,
    terminal,
    sinceSeconds,
    signal,
  }: { format: FlowFormat; terminal: Terminal; sinceSeconds: number; signal: AbortSignal },
): Promise<void> {
  const row = pairRows(widths, flowPair, terminal);
  const events = followFlows({
    open: (stop) => openFlowClient(kube, stop),
    filter: aggregatorPart(query),
    sinceSeconds,
    clock: systemClock,
    signal,
  });
  if (format === 'table') terminal.out(row(flowHeadings));
  if (format === 'csv') terminal.out(csvHeading);
  for await (const event of events) {
    if (event.type === 'connected')
      terminal.err('Live. Flows come 30 to 45 s late: Calico adds them up in buckets of 15 s.');
    else if (event.type === 'gap')
      terminal.err(
        `The aggregator was replaced: flows that it had not sent since ${new Date(event.since * 1000).toISOString()} are lost.`,
      );
    else if (event.type === 'interrupted')
      terminal.err(
        `${visibleLine(inOneLine(event.error.message))} Trying again in ${duration(event.retryInMs / 1000)}.`,
      );
    else if (matchesQuery(event.flow, query)) {
      if (format === 'table')
        terminal.out(row([...flowRow(event.flow, terminal.paint), event.type === 'grown' ? 'again' : '']));
      else if (format === 'csv') terminal.out(csvLine(event.flow));
      else terminal.out(flowLine(event.flow));
    }
  }
}
