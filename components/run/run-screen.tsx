'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { ConnectionBadge } from '#components/live/connection-badge.tsx';
import { StatusAnnouncer } from '#components/live/status-announcer.tsx';
import { type Live, useLive } from '#components/live/use-live.ts';
import { useTab } from '#components/live/use-tab.ts';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { useNow } from '#components/ui/time/use-now.ts';
import type { RunDetails, RunRequest } from '#lib/console/host.ts';
import { foldRun, type RunStreamEvent, type RunView, runSentence } from '#lib/console/wire.ts';
import { isUnverified, isWantedPause } from '#lib/run/model/has-ended.ts';
import { askedTitle } from '#lib/run/model/index.ts';
import { EndedNotice } from './ended-notice.tsx';
import { HolderNotice } from './holder-notice.tsx';
import { KeptNotice } from './kept-notice.tsx';
import { NodePanel } from './nodes/node-panel.tsx';
import { directionOf } from './nodes/node-words.ts';
import { ProblemPanel } from './problem-panel.tsx';
import { lookThroughPage } from './requests/look-through-page.ts';
import { RunButtons } from './requests/run-buttons.tsx';
import { runControls } from './requests/run-controls.ts';
import { StopDialog } from './requests/stop-dialog.tsx';
import { UndoDialog } from './requests/undo-dialog.tsx';
import { useRunRequest } from './requests/use-run-request.ts';
import { RunBanner } from './run-banner.tsx';
import { RunLog } from './run-log.tsx';
import { RunTraffic } from './run-traffic.tsx';
import { holderWords, runStateWords, runTitle } from './run-words.ts';
import { SentencePanel } from './sentence-panel.tsx';
import { ServicesPanel } from './services-panel.tsx';
import { type OpenedStep, StepList } from './steps/step-list.tsx';
import { Track } from './track.tsx';
import type { UpgradeOfRun } from './upgrade/release-lines.ts';
import { UpgradeBeside } from './upgrade/upgrade-beside.tsx';
import { wayBackWords } from './way-back-words.ts';

export type RunScreenProps = {
  cluster: string;
  initial: RunView;
  startedBy: string;
  carriedBy: RunDetails['carriedBy'];
  holder: string | null;
  /** This console's process, in the form of `startedBy` and `holder`. */
  us: string;
  /** Why this run is foreign; null if it is ours. */
  foreign: string | null;
  residue: readonly string[];
  /** kubectl with the flags that name the cluster. */
  kubectl: string;
  /** The step in the address, by its number. */
  openedStep: OpenedStep | null;
  /** Numbers of the steps that touch traffic. */
  traffic: readonly number[];
  /** Null for other runs than upgrades. */
  upgrade: UpgradeOfRun | null;
  /** The steps of an undo, as of now. */
  undoSteps: ReactNode;
  /** The accepted risks, as in the report. */
  accepted: ReactNode;
  /** Milliseconds of the server's clock. */
  renderedAt: number;
};

/** How often the server is asked who carries a run that this console does not carry. */
const holderEveryMs = 10_000;

/** In its column from the first: the page may be drawn before the steps have come, and would place it where they belong. */
const besideSteps = 'min-w-0 min-[1600px]:col-start-2';

export function RunScreen(props: RunScreenProps) {
  const { cluster, initial, startedBy, holder, us, foreign, residue, traffic, kubectl } = props;
  const { undoSteps, accepted, renderedAt, upgrade, openedStep } = props;
  const router = useRouter();
  const { view, connection, pause, resume } = useRunView(cluster, initial.run, initial);
  const nowMs = useNow(renderedAt);
  const requests = useRunRequest(cluster, view.run, view.revision);
  const [dialog, setDialog] = useState<'none' | 'stop' | 'undo'>('none');
  const { state } = view;
  const back = wayBackWords(view.goal);
  // `initial` says who carried the run when the page was read. If it was paused then and moves now, somebody has taken it up; until the page is read again it
  // counts as ours.
  const carriedBy = state.kind === 'running' && initial.state.kind !== 'running' ? 'us' : props.carriedBy;
  // Agents that are being removed are on no data plane.
  const isUninstalling = view.goal === 'install' && directionOf(view) === 'undo';
  const hasNodes = !isUninstalling && view.nodes.length > 0;
  const isAbandoned = state.kind === 'running' && carriedBy === 'nobody';
  const pace = state.kind === 'running' && !isAbandoned ? 'moving' : 'standing';
  const mark = runStateWords(state, isAbandoned ? 'abandoned' : 'carried', unverifiedOf(view));
  const sentence = runSentence(view, nowMs);
  useTab({ title: `${sentence.lead} · ${view.cluster}`, state: mark.state });

  const isElsewhere = state.kind === 'running' && carriedBy !== 'us';
  const isAway = connection.kind === 'reconnecting';
  useEffect(() => {
    if (!isElsewhere || isAway) return;
    const timer = setInterval(() => router.refresh(), holderEveryMs);
    return () => clearInterval(timer);
  }, [isElsewhere, isAway, router]);
  // In another state the run has another carrier, report and way back, so the page is read again.
  const isOld = state.kind !== initial.state.kind || view.isForeign !== initial.isForeign;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came since is read again when it changes once more
  useEffect(() => {
    if (isOld) router.refresh();
  }, [isOld, state.kind, router]);

  // A refusal belongs to the state in which it was given.
  const { forget } = requests;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of these that makes the refusal old
  useEffect(forget, [forget, state.kind, isAway, view.stale === null]);

  const press = (action: RunRequest['action']) => {
    requests.forget();
    const page = lookThroughPage({ cluster, run: view.run, action, isForeign: foreign !== null, carriedBy });
    if (page !== null) return router.push(page);
    if (action === 'undo' && !isAway) router.refresh();
    if (action === 'undo' || action === 'stop') setDialog(action);
    else void requests.ask({ action });
  };
  const close = () => {
    setDialog('none');
    requests.forget();
  };
  const refused = dialog === 'none' ? requests.refused : null;

  return (
    <>
      <PageHead
        title={<RunTitle view={view} />}
        sub={
          <>
            Run <code>{view.run}</code> · started <ClockTime at={view.startedAt} to="minute" /> by{' '}
            {startedBy === us ? 'this console' : holderWords(startedBy)}
            {/* A line of its own on a narrow screen, so that a shorter text does not move the page below. */}
            <span className="max-sm:hidden"> · </span>
            <span className="max-sm:block">{pace === 'moving' ? 'closing this page stops nothing' : mark.word}</span>
          </>
        }
        actionsAt="end"
        actions={
          // As high as a button, so that the page below does not move when the last button disappears.
          <div className="flex min-h-[34px] flex-wrap gap-2">
            <RunButtons controls={runControls(state, carriedBy)} asking={requests.asking} back={back} onPress={press} />
          </div>
        }
      />
      <div className="flex min-w-0 flex-col gap-4">
        {foreign !== null && <ForeignNotice because={foreign} />}
        <Track view={view} traffic={traffic} upgrade={upgrade} state={mark.state} nowMs={nowMs} pace={pace}>
          {state.kind === 'running' && (
            <>
              <HolderNotice carriedBy={carriedBy} holder={holder} />
              <SentencePanel view={view} state={mark.state} nowMs={nowMs} kubectl={kubectl} />
            </>
          )}
          {state.kind === 'paused' && (
            <ProblemPanel
              back={back}
              state={state}
              us={us}
              operations={view.operations}
              requests={requests}
              onPress={press}
            />
          )}
          {state.kind !== 'running' && state.kind !== 'paused' && (
            <EndedNotice
              goal={view.goal}
              state={state}
              cluster={cluster}
              run={view.run}
              residue={residue}
              operations={view.operations}
            />
          )}
        </Track>
        {upgrade !== null && (
          <UpgradeBeside cluster={cluster} view={view} upgrade={upgrade} pace={pace} nowMs={nowMs} />
        )}
        {view.services !== null && <ServicesPanel watched={view.services} title={askedTitle(view.services)} />}
        {/* In this order: the nodes, the steps, the log. On a wide screen the steps are beside the other two. */}
        <div className="grid items-start gap-4 min-[1600px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] min-[1600px]:grid-rows-[auto_1fr]">
          {hasNodes && (
            <div className={besideSteps}>
              <NodePanel nodes={view.nodes} direction={directionOf(view)} />
            </div>
          )}
          <div className="min-w-0 min-[1600px]:col-start-1 min-[1600px]:row-span-2 min-[1600px]:row-start-1">
            <StepList
              cluster={cluster}
              view={view}
              traffic={traffic}
              pace={pace}
              opened={openedStep}
              usual={upgrade?.usual ?? null}
            />
          </div>
          {/* On a wide screen it takes no more room than the steps leave, and scrolls: it grows with the run. */}
          <div
            className={`${besideSteps} ${hasNodes ? 'min-[1600px]:row-start-2' : 'min-[1600px]:row-span-2 min-[1600px]:row-start-1'} min-[1600px]:relative min-[1600px]:h-full min-[1600px]:min-h-44`}
          >
            <RunLog
              log={view.log}
              aside={<ConnectionBadge {...{ connection, pause, resume, renderedAt }} stale={view.stale} />}
            />
          </div>
        </div>
        {accepted}
        {foreign === null && <RunTraffic cluster={cluster} run={view.run} isAway={isAway || view.stale !== null} />}
        <StatusAnnouncer
          sentence={`${sentence.lead} ${sentence.rest}`}
          failure={state.kind === 'paused' && !isWantedPause(state.code) ? state.because : null}
        />
        <StopDialog
          operations={view.operations}
          isOpen={dialog === 'stop'}
          onClose={close}
          onStop={() => {
            close();
            void requests.ask({ action: 'stop' });
          }}
        />
        <UndoDialog
          back={back}
          clusterName={view.cluster}
          steps={undoSteps}
          isOpen={dialog === 'undo'}
          onClose={close}
          requests={requests}
        />
        <Dock>
          {refused && (
            <div role="alert">
              <Notice state="bad" title={refused.failure.message} />
            </div>
          )}
          <RunBanner connection={connection} view={view} nowMs={nowMs} />
          {requests.queued && <KeptNotice action={requests.queued} back={back} />}
        </Dock>
      </div>
    </>
  );
}

/** The title, in the room of the longer title of the way back: if that needs a second line, nothing moves when the run turns back. */
function RunTitle({ view }: { view: RunView }) {
  const room = 'after:invisible after:content-[attr(data-room)] after:[grid-area:1/1]';
  return (
    <span data-room={runTitle(view, view.cluster, 'undo')} className={`grid grid-cols-[minmax(0,1fr)] ${room}`}>
      <span className="[grid-area:1/1]">{runTitle(view, view.cluster, directionOf(view))}</span>
    </span>
  );
}

/** Number of steps, in the run's last direction, whose effect was not verified. */
function unverifiedOf(view: RunView): number {
  const over = directionOf(view) === 'undo' ? 'undone' : 'finished';
  return view.operations.filter(({ state, outcome }) => state === over && isUnverified(outcome)).length;
}

/**
 * Shows a notice for a while at the lower edge of the window, at the end of the page, where it can push nothing away (layout shift < 0.05). It covers
 * content only until the reader scrolls to the end.
 */
function Dock({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-3 z-10 flex flex-col gap-2 empty:hidden [&>*]:rounded-md [&>*]:shadow-float">
      {children}
    </div>
  );
}

/** Warns on the page of a foreign run that this installation did not check what is shown. */
function ForeignNotice({ because }: { because: string }) {
  return (
    <Notice state="unknown" title={because}>
      This page shows what the journal claims, including releases and times. Nothing of it is verified. Review the run
      before you continue or undo it.
    </Notice>
  );
}

/** Follows a run, starting from the view with which the page was rendered. */
function useRunView(cluster: string, run: string, initial: RunView): Live<RunView> {
  const url = `/api/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(run)}/events`;
  return useLive<RunView, RunStreamEvent>(url, initial, foldRun);
}
