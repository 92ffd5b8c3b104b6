import { useRef } from 'react';
import { Button } from '#components/ui/button.tsx';
import { counted } from '#lib/base/words.ts';
import type { Flow } from '#lib/flows/in-browser.ts';

/** The number of new flows that are not in the table yet. Always rendered with the same height, so that nothing moves. */
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
  /** Words for the table's order, if nothing is held back; null: no table is shown. */
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
            // The button disappears; keep the focus here.
            line.current?.focus();
          }}
        >
          Show {came === 1 ? 'it' : 'them'}
        </Button>
      )}
    </p>
  );
}
