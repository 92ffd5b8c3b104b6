import { bytesText, decidedBy, endName, type Flow, flowTime, stagedSentence } from '#lib/flows/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Colour, Paint } from '../terminal/terminal.ts';
import type { PairCells } from './pair-table.ts';

export const flowHeadings = ['TIME', 'VERDICT', 'AT', 'FROM', 'TO', 'PORT', 'DECIDED BY', 'CONNS', 'BYTES'];
/** The last of the words is only there in an endless table. */
export const flowPair: PairCells = { from: 3, to: 4, words: [6, 9] };

/** A flow as a row of a table. Text from the cluster is escaped. */
export function flowRow(flow: Flow, paint: Paint): string[] {
  const colour: Readonly<Record<Flow['verdict'], Colour>> = { allowed: 'dim', denied: 'red', passed: 'dim' };
  const staged = stagedSentence(flow) === null ? '' : ' (staged: otherwise)';
  return [
    flowTime(flow.end).slice(11, 19),
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
