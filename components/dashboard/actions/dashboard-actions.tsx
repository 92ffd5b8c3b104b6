'use client';

import type { ReactNode } from 'react';
import { runPath } from '#components/frame/paths.ts';
import { wayBackWords } from '#components/run/way-back-words.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import type { Slug } from '#lib/console/host.ts';
import type { ClusterView } from '#lib/console/wire.ts';
import { canStillBeUndone } from '#lib/run/model/has-ended.ts';
import { nextStep } from '../next-step.ts';
import { runStateWords } from '../run-state-words.ts';
import { ActionButton } from './action-button.tsx';

export type DashboardActionsProps = {
  cluster: Slug;
  view: ClusterView;
  draft: ReactNode;
  /** Shown if a later minor release is known. */
  upgrade: ReactNode;
  enable: ReactNode;
  /** The button that starts an installation. */
  begin: ReactNode;
};

/** The dashboard's buttons. An unfinished run comes first, because nothing else can be started before its end. */
export function DashboardActions({ cluster, view, draft, upgrade, enable, begin }: DashboardActionsProps) {
  const { run } = view;
  const isOpen = run !== null && runStateWords(run).isOpen;
  const canUndo = run !== null && canStillBeUndone(run.state);
  const next = nextStep(view);
  return (
    <>
      <ActionButton action="checkCluster" cluster={cluster} words="Check again" pending="Checking…" kind="plain" />
      {!isOpen && draft}
      {canUndo && <ButtonLink href={runPath(cluster, run.run)}>{wayBackWords(run.goal).ask}</ButtonLink>}
      {isOpen && (
        <ButtonLink kind="primary" href={runPath(cluster, run.run)}>
          {run.state.kind === 'paused' ? 'Open the paused run' : 'Follow the run'}
        </ButtonLink>
      )}
      {!isOpen && upgrade}
      {next === 'enable' && enable}
      {next === 'install' && begin}
    </>
  );
}
