'use client';

import { Button, type ButtonKind } from '#components/ui/button.tsx';
import type { RunRequest } from '#lib/console/host.ts';
import type { WayBackWords } from '../way-back-words.ts';
import type { RunControl } from './run-controls.ts';

const words: Record<Exclude<RunRequest['action'], 'undo'>, { plain: string; asking: string; kind: ButtonKind }> = {
  pause: { plain: 'Pause', asking: 'Pausing…', kind: 'plain' },
  resume: { plain: 'Resume', asking: 'Resuming…', kind: 'primary' },
  'take-over': { plain: 'Take over', asking: 'Taking over…', kind: 'primary' },
  stop: { plain: 'Stop…', asking: 'Stopping…', kind: 'plain' },
};

function wordsOf({ ask, under }: WayBackWords): { plain: string; asking: string; kind: ButtonKind } {
  return { plain: ask, asking: under, kind: 'danger' };
}

/** The buttons of a run. A disabled button stays where it is and says why, to the pointer and to a screen reader. */
export function RunButtons({
  controls,
  asking,
  back,
  onPress,
}: {
  controls: readonly RunControl[];
  asking: RunRequest['action'] | null;
  /** The words for the way back. */
  back: WayBackWords;
  onPress: (action: RunRequest['action']) => void;
}) {
  return controls.map(({ action, because }) => {
    const { plain, asking: under, kind } = action === 'undo' ? wordsOf(back) : words[action];
    const isOff = because !== null || asking !== null;
    return (
      <span key={action} title={because ?? undefined}>
        <Button
          kind={kind}
          aria-disabled={isOff}
          aria-describedby={because === null ? undefined : `off-${action}`}
          onClick={() => {
            if (!isOff) onPress(action);
          }}
        >
          {asking === action ? under : plain}
        </Button>
        {because !== null && (
          <span id={`off-${action}`} className="sr-only">
            {because}
          </span>
        )}
      </span>
    );
  });
}
