import { memo } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { endName, type Flow } from '#lib/flows/in-browser.ts';
import { FlowTime, isoTime } from '../flow-time.tsx';
import type { FlowColumn } from './flow-columns.tsx';

/** One flow of the table. Drawn anew only when another flow came to its place. */
export const FlowRow = memo(function FlowRow({
  flow,
  index,
  columns,
  days,
  isOpen,
  onOpen,
}: {
  flow: Flow;
  /** Among its rows. */
  index: number;
  columns: readonly FlowColumn[];
  /** `any`: the time of a flow has its day, where that is not today. */
  days: 'today' | 'any';
  isOpen: boolean;
  onOpen: (id: string | null) => void;
}) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      className={`border-t border-line sm:h-[36px] sm:*:py-0! max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:h-[106px] max-sm:content-center max-sm:gap-x-3 max-sm:px-4 ${isOpen ? 'bg-sunk' : ''}`}
    >
      <td className="align-middle!">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? null : flow.id)}
          className="-mx-1 inline-flex items-center gap-1.5 rounded px-1 hover:text-blue"
        >
          <Chevron look={isOpen ? 'rotate-90' : ''} />
          {days === 'today' ? <ClockTime at={isoTime(flow.end)} /> : <FlowTime at={flow.end} />}
          <span className="sr-only">
            {flow.verdict}, {endName(flow.from)} to {endName(flow.to)}, port {flow.port} {flow.protocol}, reported by
            the {flow.reporter}’s node
          </span>
        </button>
      </td>
      {columns.map((column) => (
        <Cell key={column.id} column={column} flow={flow} />
      ))}
    </tr>
  );
});

const looks: Readonly<Record<FlowColumn['is'], string>> = {
  words: 'whitespace-nowrap',
  name: 'font-mono text-xs max-sm:truncate',
  number: 'whitespace-nowrap text-right!',
};

function Cell({ column: { is, narrow = 'max-sm:hidden', text, draw }, flow }: { column: FlowColumn; flow: Flow }) {
  const content = text(flow);
  return (
    <td className={`align-middle! ${looks[is]} ${narrow}`} title={is === 'name' ? content : undefined}>
      {draw ? draw(flow) : is === 'name' ? <TwoLines key={content} text={content} /> : content}
    </td>
  );
}

/**
 * A long name continues in a second line, for which each row has the height; broken anywhere, or a hyphen could leave half of the first
 * line empty. Its key is the text: when another flow comes to this place, a name of one line replaces one of two, and is not moved.
 */
function TwoLines({ text }: { text: string }) {
  return <span className="break-all sm:line-clamp-2">{text}</span>;
}
