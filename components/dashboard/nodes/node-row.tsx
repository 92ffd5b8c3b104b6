import { memo } from 'react';
import { StateMark } from '#components/ui/state-mark.tsx';
import type { NodeLine } from '#lib/console/wire.ts';
import type { CalicoHere } from '../calico-here.ts';
import { planeWords } from './node-words.ts';

/** px, as in the classes below; all rows are alike, so that a list of 5,000 knows its length. On a telephone a row has two lines. */
export const rowHeight = { wide: 33, narrow: 53 } as const;

/** Memoised: rendered again only when the node itself changed. */
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
    <tr
      className="h-[33px] border-t border-line max-sm:grid max-sm:h-[53px] max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:content-center max-sm:gap-x-3 max-sm:px-4 max-sm:*:px-0"
      aria-rowindex={index + 2}
    >
      <th scope="row" className="truncate px-4 text-left font-normal" title={name}>
        {name}
      </th>
      <td className="px-4 max-sm:text-right">
        <StateMark state={state}>{words}</StateMark>
      </td>
      <td
        className={`px-4 max-sm:col-start-2 max-sm:row-start-2 max-sm:text-right ${ready ? 'max-[379px]:sr-only' : 'max-[379px]:-mr-1.5'}`}
      >
        {ready ? (
          'Ready'
        ) : (
          <StateMark state="bad">
            {/* On the narrowest, what was seen needs the room, and it says why. */}
            <span className="max-[379px]:sr-only">Not ready</span>
          </StateMark>
        )}
      </td>
      <td
        className={`truncate px-4 text-ink-2 max-sm:col-start-1 max-sm:row-start-2 max-[379px]:col-end-3 ${ready ? '' : 'max-[379px]:pr-6!'}`}
        title={because}
      >
        {because}
      </td>
    </tr>
  );
});
