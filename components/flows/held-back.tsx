import { useRef } from 'react';
import { Button } from '#components/ui/button.tsx';
import { counted } from '#lib/base/words.ts';
import type { Flow } from '#lib/flows/in-browser.ts';

/** Above the table: what has come since, and is not in it yet. A line of one height that is always there, so that nothing moves. */
export function HeldBack({
  newest,
  shown,
  isHeld,
  order,
  onShow,
}: {
  newest: readonly Flow[];
  shown: readonly Flow[];
  isHeld: boolean;
  /** In which the table is, where nothing is held back; null: no table is shown. */
  order: string | null;
  onShow: () => void;
}) {
  const line = useRef<HTMLParagraphElement>(null);
  const known = new Set(newest === shown ? [] : shown.map(({ id }) => id));
  const came = newest === shown ? 0 : newest.filter(({ id }) => !known.has(id)).length;
  const isHolding = isHeld && came > 0;
  return (
    <p
      ref={line}
      tabIndex={-1}
      className={`flex min-h-8 items-center gap-x-1 text-sm ${isHolding ? 'text-ink-2' : 'text-ink-3'}`}
    >
      {isHolding ? `${counted(came, 'newer flow')} held back` : order}
      {isHolding && (
        <Button
          kind="quiet"
          onClick={() => {
            onShow();
            // The button goes, and the focus stays.
            line.current?.focus();
          }}
        >
          Show {came === 1 ? 'it' : 'them'}
        </Button>
      )}
    </p>
  );
}
