import { Panel } from '#components/ui/panel.tsx';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { ChangedPairs } from './changed-pairs.tsx';

/** Pairs that talked before a run and are denied or silent since, by flow logs. */
export function TrafficSince({ changes }: { changes: ChangesOfRun }) {
  return (
    <Panel title="Traffic before and since">
      <ChangedPairs changes={changes} />
    </Panel>
  );
}
