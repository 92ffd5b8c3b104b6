'use client';

import type { ReactNode } from 'react';
import { useClusterView } from '#components/live/use-cluster-view.ts';
import type { Slug } from '#lib/console/host.ts';
import type { ClusterView } from '#lib/console/wire.ts';
import { calicoHere } from './calico-here.ts';
import { ComponentsPanel } from './components-panel.tsx';
import { DashboardHead } from './dashboard-head.tsx';
import { DataPlanePanel } from './data-plane-panel.tsx';
import { NodesPanel } from './nodes-panel.tsx';
import { NotRead } from './not-read.tsx';
import { RestsOn } from './rests-on.tsx';
import { StaleNotice } from './stale-notice.tsx';
import { useRefreshOnChange } from './use-refresh-on-change.ts';

/** `initial` is what the server saw; the view then follows the stream. The slots are made on the server: they need more than the view. */
export function LiveDashboard({
  cluster,
  name,
  initial,
  renderedAt,
  draft,
  install,
  endpoint,
  undo,
}: {
  cluster: Slug;
  name: string;
  initial: ClusterView;
  /** Milliseconds of the server's clock. */
  renderedAt: number;
  draft: ReactNode;
  /** What leads to an installation; null where Calico runs. */
  install: ReactNode;
  endpoint: ReactNode;
  undo: ReactNode;
}) {
  const live = useClusterView(cluster, initial);
  const { view } = live;
  const calico = calicoHere(view.status);
  useRefreshOnChange(`${view.run?.run} ${view.run?.state.kind} ${view.status.installation?.generation}`);
  return (
    <>
      <DashboardHead cluster={cluster} name={name} view={view} draft={draft} />
      <div className="flex flex-col gap-4">
        {view.stale && <StaleNotice stale={view.stale} />}
        <NotRead unknown={view.status.unknown} />
        {install !== null && calico !== 'agents' && view.run?.state.kind !== 'running' && install}
        <div className={`flex flex-col gap-4 ${view.stale ? 'grayscale' : ''}`}>
          <DataPlanePanel live={live} renderedAt={renderedAt} />
          {calico === 'nothing' ? (
            <RestsOn view={view} endpoint={endpoint} undo={undo} />
          ) : (
            <div className="grid items-start gap-4 min-[1100px]:grid-cols-[1.55fr_1fr]">
              <ComponentsPanel status={view.status} />
              <RestsOn view={view} endpoint={endpoint} undo={undo} />
            </div>
          )}
          <NodesPanel nodes={view.nodes} calico={calico} />
        </div>
      </div>
    </>
  );
}
