'use client';

import { useState } from 'react';
import type { RunView } from '#lib/console/wire.ts';
import { directionOf } from '../nodes/node-words.ts';
import { ComponentsOfUpgrade } from './components-of-upgrade.tsx';
import type { UpgradeOfRun } from './release-lines.ts';
import { useWorkloads } from './use-workloads.ts';
import { WaitsFor } from './waits-for.tsx';

/** The panels below the releases: Calico's workloads, and what holds the run up. */
export function UpgradeBeside({
  cluster,
  view,
  upgrade: { releases, workloads: first },
  pace,
  nowMs,
}: {
  cluster: string;
  view: RunView;
  upgrade: UpgradeOfRun;
  pace: 'moving' | 'standing';
  nowMs: number;
}) {
  const direction = directionOf(view);
  const reached = view.operations.filter(({ state }) => state === 'finished' || state === 'undone').length;
  const workloads = useWorkloads(cluster, pace, `${view.state.kind} ${direction} ${reached}`, first);
  // While the page is open it keeps its columns: nothing moves when the run ends.
  const [isBeside] = useState(pace === 'moving');
  return (
    <div
      className={`grid min-w-0 grid-cols-1 gap-4 ${isBeside ? 'min-[1100px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]' : ''}`}
    >
      <ComponentsOfUpgrade
        workloads={workloads}
        releases={releases}
        direction={direction}
        operations={view.operations}
      />
      {pace === 'moving' && <WaitsFor now={view.now} nowMs={nowMs} />}
    </div>
  );
}
