'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { type Live, useLive } from '#components/live/use-live.ts';
import { useTab } from '#components/live/use-tab.ts';
import { Notice } from '#components/ui/notice.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import type { Slug } from '#lib/console/host.ts';
import { type ClusterEvent, type ClusterView, foldCluster } from '#lib/console/wire.ts';
import type { ClusterStatus } from '#lib/status/index.ts';
import { calicoHere } from './calico-here.ts';
import { ComponentsPanel } from './components-panel.tsx';
import { DashboardHead } from './dashboard-head.tsx';
import { DataPlanePanel } from './data-plane-panel.tsx';
import { nextStep } from './next-step.ts';
import { NodesPanel } from './nodes/nodes-panel.tsx';
import { RestsOn } from './rests-on.tsx';
import { runStateWords } from './run-state-words.ts';
import { servedAsSeen } from './served-as-seen.ts';

/** `initial` is what the server saw; the view then follows the stream. The slots are made on the server: they need more than the view. */
export function LiveDashboard({
  cluster,
  name,
  initial,
  renderedAt,
  draft,
  upgrade,
  install,
  outages,
  blockers,
  enable,
  begin,
  endpoint,
  undo,
}: {
  cluster: Slug;
  name: string;
  initial: ClusterView;
  /** Milliseconds of the server's clock. */
  renderedAt: number;
  draft: ReactNode;
  upgrade: ReactNode;
  /** What leads to an installation; null where Calico runs. */
  install: ReactNode;
  /** What comes before everything else. */
  outages: ReactNode;
  /** What would refuse the next step. */
  blockers: ReactNode;
  enable: ReactNode;
  begin: ReactNode;
  endpoint: ReactNode;
  undo: ReactNode;
}) {
  const live = useClusterView(cluster, initial);
  const { view } = live;
  const calico = calicoHere(view.status);
  useTab(tabOf(view, name));
  useRefreshOnChange(
    `${view.run?.run} ${view.run?.state.kind} ${view.status.installation?.generation} ${servedAsSeen(view)}`,
  );
  return (
    <>
      <DashboardHead
        cluster={cluster}
        name={name}
        view={view}
        draft={draft}
        upgrade={upgrade}
        enable={enable}
        begin={begin}
      />
      <div className="flex flex-col gap-4">
        {view.stale && <StaleNotice stale={view.stale} />}
        {outages}
        {nextStep(view) !== null && blockers}
        <NotRead unknown={view.status.unknown} />
        {install !== null && calico !== 'agents' && view.run?.state.kind !== 'running' && install}
        <div className={`flex flex-col gap-4 ${view.stale ? 'grayscale' : ''}`}>
          <DataPlanePanel live={live} renderedAt={renderedAt} />
          {calico !== 'nothing' && <ComponentsPanel status={view.status} isOutage={servedAsSeen(view) === 'nobody'} />}
          <RestsOn view={view} endpoint={endpoint} undo={undo} />
          <NodesPanel nodes={view.nodes} calico={calico} />
        </div>
      </div>
    </>
  );
}

/** Of what a reader who looks elsewhere should come back for: Services that are down, then a run that has not ended. */
function tabOf(view: ClusterView, name: string): Parameters<typeof useTab>[0] {
  if (servedAsSeen(view) === 'nobody') return { title: `Outage · ${name}`, state: 'bad' };
  const words = view.run === null ? null : runStateWords(view.run);
  return words?.isOpen ? { title: `${words.sentence} · ${name}`, state: words.state } : null;
}

/** Asks the server for its parts of the page again when `of` changes: they were made from facts and runs as they were at the first look. */
function useRefreshOnChange(of: string): void {
  const router = useRouter();
  const seen = useRef(of);
  useEffect(() => {
    if (seen.current === of) return;
    seen.current = of;
    router.refresh();
  }, [of, router]);
}

/** A cluster as it is, from the view that the page was rendered with. */
function useClusterView(cluster: string, initial: ClusterView): Live<ClusterView> {
  return useLive<ClusterView, ClusterEvent>(
    `/api/clusters/${encodeURIComponent(cluster)}/events`,
    initial,
    foldCluster,
  );
}

/** Kinds that could not be read, each with its reason: what they would tell is unknown, and unknown is never shown as fine. */
function NotRead({ unknown }: { unknown: ClusterStatus['unknown'] }) {
  if (unknown.length === 0) return null;
  const kinds = unknown.map(({ kind }) => kind).join(', ');
  return (
    <Notice state="unknown" title={`${kinds} could not be read, so part of this page is unknown`}>
      <ul className="flex flex-col gap-1">
        {unknown.map(({ kind, because }) => (
          <li key={kind} className="break-words">
            <b className="font-semibold">{kind}</b>: {because}
          </li>
        ))}
      </ul>
      <p className="mt-1">
        <code>signalbox rbac</code> prints a role with all rights that are needed.
      </p>
    </Notice>
  );
}

/** The API server is away: what is below was true then, and says so. */
function StaleNotice({ stale: { since, message } }: { stale: NonNullable<ClusterView['stale']> }) {
  return (
    <Notice
      state="unknown"
      title={
        <>
          The API server has not answered since <time dateTime={since}>{since.slice(11, 19)} UTC</time> (
          <RelativeTime at={since} />)
        </>
      }
    >
      <p className="break-words">{message}</p>
      <p>
        This page shows the state at that time. It is updated, and a run continues, as soon as the API server answers.
      </p>
    </Notice>
  );
}
