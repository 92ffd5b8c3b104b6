import { host } from '#lib/console/host.ts';
import type { OperationLine } from '#lib/run/index.ts';

const lamps: Record<OperationLine['state'], string> = {
  ahead: 'fill-sheet stroke-edge',
  'already-done': 'fill-green stroke-green',
  begun: 'fill-amber-lamp stroke-amber-lamp',
  finished: 'fill-green stroke-green',
  undoing: 'fill-amber-lamp stroke-amber-lamp',
  undone: 'fill-sheet stroke-green',
  failed: 'fill-red stroke-red',
};
const pitch = 11;

/** A run's line of track, small: one signal a step. The words beside it say the same. */
export async function MiniTrack({ cluster, run }: { cluster: string; run: string }) {
  const answer = await host().run(cluster, run);
  if (!answer.ok) return null;
  const { operations } = answer.value.view;
  const over = operations.filter(({ state }) => state === 'finished' || state === 'already-done').length;
  const back = operations.filter(({ state }) => state === 'undone').length;
  const width = operations.length * pitch + 2;
  return (
    <>
      <svg width={width} height="12" viewBox={`0 0 ${width} 12`} aria-hidden="true" className="block">
        <path d={`M1 6H${width - 1}`} className="stroke-line" strokeWidth="2" />
        {operations.map(({ seq, state }, index) => (
          <circle
            key={seq}
            cx={index * pitch + pitch / 2 + 1}
            cy="6"
            r="3.4"
            strokeWidth="1.5"
            className={lamps[state]}
          />
        ))}
      </svg>
      <span className="text-xs text-ink-3">
        {back > 0 ? `${back} taken back` : `${over} of ${operations.length} done`}
      </span>
    </>
  );
}
