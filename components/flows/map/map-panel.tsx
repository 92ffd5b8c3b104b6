import { useMemo, useState } from 'react';
import { useWindowIs } from '#components/ui/browser/use-window-is.ts';
import { Segments } from '#components/ui/segments.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import { type Flow, flowMap, type MapLevel, mostPlaces } from '#lib/flows/in-browser.ts';
import { ChosenPanel } from './chosen-panel.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { MapTable } from './map-table.tsx';

/** Pairs of the filtered flows, as a map and as a table with the same content; on a telephone only the table. */
export function MapPanel({ flows, onQuery }: { flows: readonly Flow[]; onQuery: (query: string) => void }) {
  const [level, setLevel] = useState<MapLevel>('workloads');
  const [chosen, setChosen] = useState<string | null>(null);
  const map = useMemo(() => flowMap(flows, level), [flows, level]);
  // The server renders no map, because it has no window and must not write styles.
  const isWide = useWindowIs('(width >= 40rem)');
  const { workloads } = map;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
        <Segments
          label="On the map"
          choices={[
            { value: 'namespaces', words: 'Namespaces' },
            { value: 'workloads', words: workloads > mostPlaces ? `${mostPlaces} workloads` : 'Workloads' },
            ...(workloads > mostPlaces ? [{ value: 'all' as const, words: `All ${thousands(workloads)}` }] : []),
          ]}
          chosen={level}
          onChoose={(next) => {
            setLevel(next);
            setChosen(null);
          }}
        />
        <Legend />
        <span className="ml-auto text-sm text-ink-3">
          {counted(workloads, 'end')}, {counted(map.edges.length, 'pair')}
        </span>
      </div>
      <div className="hidden border-t border-line sm:flex">
        <div className="h-[520px] min-w-0 grow">
          {isWide && <MapCanvas map={map} chosen={chosen} onChoose={setChosen} />}
        </div>
        <ChosenPanel map={map} chosen={chosen} onQuery={onQuery} close={() => setChosen(null)} />
      </div>
      <MapTable edges={map.edges} onQuery={onQuery} />
    </div>
  );
}

function Legend() {
  return (
    <p aria-hidden="true" className="flex flex-wrap gap-x-3 text-sm text-ink-3 max-sm:hidden">
      {[
        { words: 'up to 10', width: 1.5 },
        { words: '100', width: 3 },
        { words: 'more connections a minute', width: 5 },
      ].map(({ words, width }) => (
        <span key={words} className="inline-flex items-center gap-1.5">
          <svg aria-hidden="true" width="20" height="8">
            <line x2="20" y1="4" y2="4" strokeWidth={width} className="stroke-ink-3" />
          </svg>
          {words}
        </span>
      ))}
      <span className="inline-flex items-center gap-1.5">
        <svg aria-hidden="true" width="20" height="8">
          <line x2="20" y1="4" y2="4" strokeWidth="2" strokeDasharray="5 3" className="stroke-red" />
        </svg>
        denied
      </span>
    </p>
  );
}
