'use client';

import type { RunView } from '#lib/console/wire.ts';
import { directionOf } from '../nodes/node-words.ts';
import { ComponentsOfUpgrade } from './components-of-upgrade.tsx';
import type { ReleasesOfRun } from './release-lines.ts';
import { useWorkloads } from './use-workloads.ts';
import { WaitsFor, WhatComesNext } from './what-comes-next.tsx';

/** Below the releases: what runs of Calico, who holds the run up, and what is left. */
export function UpgradeBeside({
  cluster,
  view,
  upgrade: { releases, usual },
  pace,
  nowMs,
}: {
  cluster: string;
  view: RunView;
  upgrade: { releases: ReleasesOfRun; usual: Readonly<Record<number, number>> };
  pace: 'moving' | 'standing';
  nowMs: number;
}) {
  const direction = directionOf(view);
  const reached = view.operations.filter(({ state }) => state === 'finished' || state === 'undone').length;
  const workloads = useWorkloads(cluster, pace, `${view.state.kind} ${direction} ${reached}`);
  return (
    <div className="grid min-w-0 grid-cols-1 items-start gap-4 min-[1100px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
      <ComponentsOfUpgrade
        workloads={workloads}
        releases={releases}
        direction={direction}
        operations={view.operations}
      />
      <div className="grid min-w-0 grid-cols-1 gap-4">
        {pace === 'moving' && <WaitsFor now={view.now} nowMs={nowMs} />}
        {direction === 'forward' && (
          <WhatComesNext operations={view.operations} usual={usual} title="What comes next" />
        )}
      </div>
    </div>
  );
}
