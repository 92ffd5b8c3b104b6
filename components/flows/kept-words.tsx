import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { counted } from '#lib/base/words.ts';
import type { ListedFlows } from '#lib/flows/index.ts';
import { FailureMessage } from './failure-message.tsx';
import { timeText } from './time-text.ts';

/** Above a table of the history: how many of the flows it shows. */
export function KeptWords({
  history,
  isReading,
  again,
}: {
  history: ListedFlows | null;
  isReading: boolean;
  again: () => void;
}) {
  return (
    <p className="flex min-h-8 items-center gap-x-1 text-sm text-ink-3">
      {isReading || history === null
        ? 'Reading the history…'
        : history.isCut
          ? `The newest ${counted(history.flows.length, 'flow')} of more: choose less time, or filter`
          : 'Each flow once, with the sums of this time'}
      <Button kind="quiet" onClick={again}>
        Read again
      </Button>
    </p>
  );
}

/** In place of rows: the history is being read, cannot be read, or has no flows. */
export function NoneKept({
  isReading,
  failed,
  since,
  goLive,
}: {
  isReading: boolean;
  failed: string | null;
  /** Start of the history, in seconds. */
  since: number | null;
  goLive: () => void;
}) {
  if (isReading) return <Empty title="Reading the history…" />;
  const actions = <Button onClick={goLive}>Back to live</Button>;
  if (failed !== null)
    return (
      <Empty title="The history cannot be read" actions={actions}>
        <FailureMessage message={failed} />
      </Empty>
    );
  return (
    <Empty title="No flow in this time matches" actions={actions}>
      {since === null
        ? 'The history is empty: it begins when you first open the flows of a cluster.'
        : `The history begins at ${timeText(since, 'second', new Date())}. Hatched time in the chart was not recorded.`}
    </Empty>
  );
}
