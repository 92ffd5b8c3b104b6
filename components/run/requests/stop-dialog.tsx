'use client';

import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { RunView } from '#lib/console/wire.ts';

/** Ends the run where it is. Says before what stays on the cluster, by the rule with which the engine reports it afterwards. */
export function StopDialog({
  operations,
  isOpen,
  onClose,
  onStop,
}: {
  operations: RunView['operations'];
  isOpen: boolean;
  onClose: () => void;
  onStop: () => void;
}) {
  const remains = operations.filter(
    ({ state, effect }) => effect !== 'none' && ['finished', 'begun', 'undoing', 'failed'].includes(state),
  );
  const left = operations.filter(({ state }) => state === 'ahead').length;
  return (
    <Dialog open={isOpen} onClose={onClose} title="Stop this run here?">
      <p className="text-ink-2">
        Nothing is undone, and the {left === 1 ? 'step' : `${left} steps`} ahead will not be done. The run can still be
        undone afterwards.
      </p>
      {remains.length > 0 && (
        <>
          <p className="mt-3 font-[560]">This stays on the cluster:</p>
          <ul className="mt-1 max-h-60 list-disc overflow-y-auto pl-5 text-ink-2">
            {remains.map(({ seq, title, state }) => (
              <li key={seq}>
                {title}
                {state === 'finished' ? '' : ' (half-done)'}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Let it continue</Button>
        <Button kind="danger" onClick={onStop}>
          Stop here
        </Button>
      </div>
    </Dialog>
  );
}
