import { memo } from 'react';
import { StateMark } from '#components/ui/state-mark.tsx';
import type { NodeLine } from '#lib/console/wire.ts';
import type { CalicoHere } from '../calico-here.ts';
import { planeWords } from './node-words.ts';

/** px; all rows are alike, so that a list of 5,000 knows its length. */
export const rowHeight = 33;

/** Drawn anew only when the node itself changed. */
export const NodeRow = memo(function NodeRow({
  node: { name, plane, ready, because },
  calico,
  index,
}: {
  node: NodeLine;
  calico: CalicoHere;
  index: number;
}) {
  const { state, words } = planeWords(plane, calico);
  return (
    <tr className="h-[33px] border-t border-line" aria-rowindex={index + 2}>
      <th scope="row" className="truncate px-4 text-left font-normal" title={name}>
        {name}
      </th>
      <td className="px-4">
        <StateMark state={state}>{words}</StateMark>
      </td>
      <td className="px-4">{ready ? 'Ready' : <StateMark state="bad">Not ready</StateMark>}</td>
      <td className="truncate px-4 text-ink-2" title={because}>
        {because}
      </td>
    </tr>
  );
});
