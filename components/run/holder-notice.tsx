import type { RunDetails } from '#lib/console/host.ts';
import { OutcomeStrip } from './outcome-strip.tsx';
import { holderWords } from './run-words.ts';

/** Who carries a running run if it is not this console, what that means for the buttons, and what can be done. */
export function HolderNotice({ carriedBy, holder }: { carriedBy: RunDetails['carriedBy']; holder: string | null }) {
  switch (carriedBy) {
    case 'us':
      return null;
    case 'other':
      return (
        <OutcomeStrip room="" state="idle" title="Another process is carrying out this run">
          This page follows it; the buttons ask that process{holder === null ? '' : ` (${holderWords(holder)})`}.
        </OutcomeStrip>
      );
    case 'nobody':
      return (
        <OutcomeStrip room="" state="warn" title="The process that carried out this run is gone">
          The cluster stays as it is until you take the run over, undo it or stop it.
        </OutcomeStrip>
      );
  }
}
