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

/** `initial`: the server's view, which then follows the stream. The slots are rendered on the server, because they need more than the view. */
export function LiveDashboard({
  cluster,
  name,
  initial,
  renderedAt,
  draft,
  upgrade,
  install,
  outages,
  story,
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
  /** The offer to install; null if Calico runs. */
  install: ReactNode;
  /** Present outages, shown first. */
  outages: ReactNode;
  /** What is known of an outage besides: how it came, and what the nodes say of Services. */
  story: ReactNode;
  /** Findings that block the next step. */
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
          {story}
          {calico !== 'nothing' && <ComponentsPanel status={view.status} isOutage={servedAsSeen(view) === 'nobody'} />}
          <RestsOn view={view} endpoint={endpoint} undo={undo} />
          <NodesPanel nodes={view.nodes} calico={calico} />
        </div>
      </div>
    </>
  );
}

/** The tab's title and icon, for what needs attention: Services that are down, then an unfinished run. */
function tabOf(view: ClusterView, name: string): Parameters<typeof useTab>[0] {
  if (servedAsSeen(view) === 'nobody') return { title: `Outage · ${name}`, state: 'bad' };
  const words = view.run === null ? null : runStateWords(view.run);
  return words?.isOpen ? { title: `${words.sentence} · ${name}`, state: words.state } : null;
}

/** Refreshes the server's parts of the page when `of` changes, because they were rendered from earlier facts and runs. */
function useRefreshOnChange(of: string): void {
  const router = useRouter();
  const seen = useRef(of);
  useEffect(() => {
    if (seen.current === of) return;
    seen.current = of;
    router.refresh();
  }, [of, router]);
}

/** Follows a cluster, starting from the view of the rendered page. */
function useClusterView(cluster: string, initial: ClusterView): Live<ClusterView> {
  return useLive<ClusterView, ClusterEvent>(
    `/api/clusters/${encodeURIComponent(cluster)}/events`,
    initial,
    foldCluster,
  );
}

/** Kinds that could not be read, each with the reason. What they would show is unknown, never fine. */
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

/** A notice that the API server does not answer and since when the page is outdated. */
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
