import { nodesByPlane } from '#components/track/nodes-by-plane.ts';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { thousands } from '#lib/base/words.ts';
import type { NodeLine } from '#lib/console/wire.ts';
import type { CalicoHere } from '../calico-here.ts';
import type { NodeFilter } from './node-rows.ts';
import { planesOn } from './node-words.ts';

/** By name and by state; a state that no node has is not offered. */
export function NodeFilters({
  nodes,
  calico,
  filter,
  onChange,
}: {
  nodes: readonly NodeLine[];
  calico: CalicoHere;
  filter: NodeFilter;
  onChange: (filter: NodeFilter) => void;
}) {
  const takeOver = useTakeOver();
  const by = nodesByPlane(nodes);
  const notReady = nodes.filter(({ ready }) => !ready).length;
  const options: { value: NodeFilter['plane']; words: string; count: number }[] = [
    { value: 'all', words: 'All', count: nodes.length },
    ...planesOn(calico).map(({ plane, words }) => ({
      value: plane,
      words,
      count: by[plane].length,
    })),
    { value: 'not-ready', words: 'Not ready', count: notReady },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5">
      <input
        type="search"
        aria-label="Filter nodes by name"
        placeholder="Name"
        autoComplete="off"
        spellCheck={false}
        ref={takeOver}
        value={filter.name}
        onChange={(event) => onChange({ ...filter, name: event.target.value })}
        className="min-h-8 w-52 max-w-full rounded-md border border-edge bg-sheet px-2.5 py-1 text-ink placeholder:text-ink-3"
      />
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Filter nodes by state</legend>
        {options
          .filter(({ value, count }) => value === 'all' || value === filter.plane || count > 0)
          .map(({ value, words, count }) => (
            <label
              key={value}
              className="flex min-h-7 items-center gap-1.5 rounded-md border border-transparent px-2 text-sm text-ink-2 hover:bg-sunk has-checked:border-line has-checked:bg-sunk has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-blue"
            >
              <input
                type="radio"
                name="node-plane"
                className="sr-only"
                ref={takeOver}
                autoComplete="off"
                checked={filter.plane === value}
                onChange={() => onChange({ ...filter, plane: value })}
              />
              {words} <span className="text-ink-3">{thousands(count)}</span>
            </label>
          ))}
      </fieldset>
    </div>
  );
}
