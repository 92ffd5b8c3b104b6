import { duration } from '#lib/base/words.ts';
import { host } from '#lib/console/host.ts';

/** The way back as it would be taken now, in its order. */
export async function UndoSteps({ cluster, run }: { cluster: string; run: string }) {
  const answer = await host().undoSteps(cluster, run);
  if (!answer.ok) return <p className="px-4 py-3 text-sm text-red">{answer.message}</p>;
  if (answer.value.length === 0)
    return <p className="px-4 py-3 text-sm text-ink-2">Nothing was changed yet: there is nothing to undo.</p>;
  return (
    <ol className="divide-y divide-line text-sm">
      {answer.value.map(({ undoes, title, usualSeconds, effect }, index) => (
        // On a telephone the time is below the words: beside it they would be broken.
        <li
          key={undoes}
          className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2 px-3 py-2 sm:grid-cols-[1.25rem_minmax(0,1fr)_auto]"
        >
          <span className="text-right text-ink-3" aria-hidden="true">
            {index + 1}
          </span>
          <span>
            {title}
            {effect === 'traffic' && <span className="text-amber"> · touches traffic</span>}
          </span>
          <span className="text-ink-3 max-sm:col-start-2">typically {duration(usualSeconds)}</span>
        </li>
      ))}
    </ol>
  );
}
