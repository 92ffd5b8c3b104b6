import { Panel } from '#components/ui/panel.tsx';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { ChangedPairs } from './changed-pairs.tsx';

/** What flows say of a run: who talked before it, and is denied or silent since. */
export function TrafficSince({ changes }: { changes: ChangesOfRun }) {
  return (
    <Panel title="Traffic before and since">
      <ChangedPairs changes={changes} />
    </Panel>
  );
}
