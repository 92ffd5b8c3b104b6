import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { thousands } from '#lib/base/words.ts';
import { bytesText, type MapEdge } from '#lib/flows/in-browser.ts';
import { OneLine } from '../table/one-line.tsx';

const atOnce = 50;

/** All that the map draws, in words: denied first, then by bytes. Each pair leads to its flows. */
export function MapTable({ edges, onQuery }: { edges: readonly MapEdge[]; onQuery: (query: string) => void }) {
  const [most, setMost] = useState(atOnce);
  return (
    <div className="border-t border-line">
      <TableBox label="The map as a table, scrolls">
        <table className="table-fixed tabular-nums">
          <caption className="sr-only">The map as a table: who connects to whom, denied first</caption>
          <thead>
            <tr>
              <th scope="col">From and to</th>
              <th scope="col" className="w-44 max-sm:hidden">
                Ports
              </th>
              <th scope="col" className="w-24 text-right!">
                Allowed
              </th>
              <th scope="col" className="w-24 text-right!">
                Denied
              </th>
              <th scope="col" className="w-52 max-lg:hidden">
                Denied by
              </th>
              <th scope="col" className="w-24 text-right! max-sm:hidden">
                Bytes
              </th>
            </tr>
          </thead>
          <tbody>
            {edges.slice(0, most).map(({ from, to, ports, allowed, denied, decidedBy, bytes, query }, place) => {
              const text = `${from.text} → ${to.text}`;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is a place: what comes moves pairs from place to place, and nothing on the page.
                <tr key={place} className="border-t border-line">
                  <td title={text}>
                    <OneLine text={text} query={query} onQuery={onQuery} />
                  </td>
                  <td className="truncate max-sm:hidden" title={ports.join(', ')}>
                    {ports.join(', ')}
                  </td>
                  <td className="text-right!">{thousands(allowed)}</td>
                  <td className={`text-right! ${denied > 0 ? 'text-red' : ''}`}>{thousands(denied)}</td>
                  <td className="truncate font-mono text-xs max-lg:hidden" title={decidedBy.join(', ')}>
                    {decidedBy.join(', ')}
                  </td>
                  <td className="text-right! whitespace-nowrap max-sm:hidden">{bytesText(bytes)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableBox>
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
