import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { thousands } from '#lib/base/words.ts';
import type { MapEdge } from '#lib/flows/in-browser.ts';
import { bytesColumn, deniedColumn, type SummedColumn, SummedTable } from '../table/summed-table.tsx';

const atOnce = 50;

const columns: readonly SummedColumn<MapEdge>[] = [
  {
    head: 'Ports',
    className: 'w-44 max-sm:hidden',
    kind: 'words',
    text: ({ ports }) => ports.join(', '),
  },
  { head: 'Allowed', className: 'w-24 max-sm:w-20', kind: 'number', text: ({ allowed }) => thousands(allowed) },
  deniedColumn('w-24 max-sm:w-18'),
  {
    head: 'Denied by',
    className: 'w-52 max-lg:hidden',
    kind: 'code',
    text: ({ decidedBy }) => decidedBy.join(', '),
  },
  bytesColumn('w-24 max-sm:hidden'),
];

/** The map's content as a table: denied pairs first, then by bytes. Each pair links to its flows. */
export function MapTable({ edges, onQuery }: { edges: readonly MapEdge[]; onQuery: (query: string) => void }) {
  const [most, setMost] = useState(atOnce);
  return (
    <div className="border-t border-line">
      <SummedTable
        label="The map as a table, scrolls"
        caption="The map as a table: who connects to whom, denied first"
        first={{ head: 'From and to' }}
        name={({ from, to, query }) => ({ text: `${from.text} → ${to.text}`, query })}
        columns={columns}
        rows={edges.slice(0, most)}
        onQuery={onQuery}
      />
      {edges.length > most && (
        <div className="border-t border-line px-4 py-2.5">
          <Button kind="quiet" onClick={() => setMost(most + atOnce)}>
            Show {Math.min(atOnce, edges.length - most)} more
          </Button>
        </div>
      )}
    </div>
  );
}
