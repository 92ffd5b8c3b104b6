import { useMemo, useState } from 'react';
import { Segments } from '#components/ui/segments.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import { type Flow, type Talker, type TalkerGroup, talkersOf } from '#lib/flows/in-browser.ts';
import { bytesColumn, deniedColumn, type SummedColumn, SummedTable } from './table/summed-table.tsx';

const groups: readonly { readonly value: TalkerGroup; readonly words: string; readonly none: string }[] = [
  { value: 'pair', words: 'Pairs', none: 'No flows.' },
  { value: 'from', words: 'Senders', none: 'No flows.' },
  { value: 'to', words: 'Receivers', none: 'No flows.' },
  { value: 'denied', words: 'Denied by', none: 'Nothing was denied.' },
  { value: 'external', words: 'Outside', none: 'No flow came from outside, or went there.' },
  { value: 'dns', words: 'DNS', none: 'No connections to port 53.' },
];
const most = 20;

const columns: readonly SummedColumn<Talker>[] = [
  bytesColumn('w-24'),
  {
    head: 'Conns',
    className: 'w-20 max-sm:hidden',
    kind: 'number',
    text: ({ connections }) => thousands(connections),
  },
  deniedColumn('w-20'),
];

/** Top talkers, top denying policies, external destinations and DNS clients among the filtered flows, with links to their flows. */
export function TopPanel({ flows, onQuery }: { flows: readonly Flow[]; onQuery: (query: string) => void }) {
  const [by, setBy] = useState<TalkerGroup>('pair');
  const talkers = useMemo(() => talkersOf(flows, by, most), [flows, by]);
  const group = groups.find(({ value }) => value === by);
  const measure = by === 'denied' ? 'denied' : 'bytes';
  const largest = Math.max(1, ...talkers.map((talker) => talker[measure]));
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
        <div className="max-w-full overflow-x-auto">
          <Segments label="Added up by" choices={groups} chosen={by} onChoose={setBy} />
        </div>
        <span className="text-sm text-ink-3">
          The first {most}, of {counted(flows.length, 'flow')}
        </span>
      </div>
      {talkers.length === 0 ? (
        <p className="border-t border-line px-4 py-3 text-ink-2">{group?.none}</p>
      ) : (
        <SummedTable
          label="Top, scrolls"
          first={{
            head: group?.words,
            below: (talker) => (
              <svg aria-hidden="true" width="100%" height="3" className="mt-1 block">
                <rect
                  width={`${(talker[measure] / largest) * 100}%`}
                  height="3"
                  className={by === 'denied' ? 'fill-red' : 'fill-ink-3/60'}
                />
              </svg>
            ),
          }}
          name={({ name, query }) => ({ text: name, query })}
          columns={columns}
          rows={talkers}
          onQuery={onQuery}
        />
      )}
    </div>
  );
}
