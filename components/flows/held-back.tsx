import { Button } from '#components/ui/button.tsx';
import { counted } from '#lib/base/words.ts';
import type { Flow } from '#lib/flows/in-browser.ts';

/** Above the table: what has come since, and is not in it yet. A line of one height that is always there, so that nothing moves. */
export function HeldBack({
  newest,
  shown,
  isHeld,
  onShow,
}: {
  newest: readonly Flow[];
  shown: readonly Flow[];
  isHeld: boolean;
  onShow: () => void;
}) {
  const known = new Set(newest === shown ? [] : shown.map(({ id }) => id));
  const came = newest === shown ? 0 : newest.filter(({ id }) => !known.has(id)).length;
  if (!isHeld || came === 0) return <p className="flex min-h-8 items-center text-sm text-ink-3">Newest first</p>;
  return (
    <p className="flex min-h-8 items-center gap-x-1 text-sm text-ink-2">
      {counted(came, 'newer flow')} held back
      <Button kind="quiet" onClick={onShow}>
        Show {came === 1 ? 'it' : 'them'}
      </Button>
    </p>
  );
}
