import { host } from '#lib/console/host.ts';
import { MiniTrackDrawing } from './mini-track-drawing.tsx';

/** A run's line of track, small: one signal a step. The words beside it say the same. */
export async function MiniTrack({ cluster, run }: { cluster: string; run: string }) {
  const answer = await host().report(cluster, run);
  if (!answer.ok) return null;
  const { operations } = answer.value;
  const over = operations.filter(({ state }) => state === 'finished' || state === 'already-done').length;
  const back = operations.filter(({ state }) => state === 'undone').length;
  return (
    <>
      <MiniTrackDrawing states={operations.map(({ state }) => state)} />
      <span className="text-xs text-ink-3">
        {back > 0 ? `${back} taken back` : `${over} of ${operations.length} done`}
      </span>
    </>
  );
}
