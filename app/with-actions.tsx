import type { ReactNode } from 'react';
import { type Actions, ActionsProvider } from '#components/actions.tsx';
import { askCluster, resetSandbox } from './actions.ts';
import { checkAgain, enableEbpf, installCalico, restoreProxy, upgradeCalico } from './clusters/[cluster]/actions.ts';
import { planSuggested } from './clusters/[cluster]/flows/actions.ts';
import {
  acknowledge,
  continueStep,
  fieldsOfRelease,
  fix,
  getRelease,
  pauseBetween,
  saveStep,
  startPreflight,
  stopPreflight,
  stopRelease,
  watchServices,
} from './clusters/[cluster]/runs/[run]/[step]/actions.ts';
import { reviewAgain, startReviewed } from './clusters/[cluster]/runs/[run]/[step]/review-actions.ts';
import { askRun, takeUpRun } from './clusters/[cluster]/runs/[run]/actions.ts';
import { discardDraft, renameDraft } from './clusters/[cluster]/runs/actions.ts';
import { endSession } from './sessions/actions.ts';

const actions: Actions = {
  askCluster,
  checkCluster: checkAgain,
  enableEbpf,
  upgradeCalico,
  installCalico,
  restoreProxy,
  resetSandbox,
  endSession,
  saveStep,
  continueStep,
  acknowledge,
  fix,
  watchServices,
  pauseBetween,
  getRelease,
  stopRelease,
  startPreflight,
  stopPreflight,
  fieldsOfRelease,
  planSuggested,
  renameDraft,
  discardDraft,
  reviewAgain,
  startReviewed,
  askRun,
  takeUpRun,
};

/** Provides server actions to components, which import nothing of `app`. Each action checks the session itself. */
export function WithActions({ children }: { children: ReactNode }) {
  return <ActionsProvider actions={actions}>{children}</ActionsProvider>;
}
