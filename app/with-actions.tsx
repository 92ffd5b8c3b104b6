import type { ReactNode } from 'react';
import { type Actions, ActionsProvider } from '#components/actions.tsx';
import { askCluster, resetSandbox } from './actions.ts';
import { checkAgain, enableEbpf, installCalico, restoreProxy } from './clusters/[cluster]/actions.ts';
import {
  acknowledge,
  continueStep,
  fieldsOfRelease,
  fix,
  getRelease,
  saveStep,
  stopRelease,
} from './clusters/[cluster]/runs/[run]/[step]/actions.ts';
import { reviewAgain, startReviewed } from './clusters/[cluster]/runs/[run]/[step]/review-actions.ts';
import { askRun, takeUpRun } from './clusters/[cluster]/runs/[run]/actions.ts';
import { discardDraft } from './clusters/[cluster]/runs/actions.ts';
import { endSession } from './sessions/actions.ts';

const actions: Actions = {
  askCluster,
  checkCluster: checkAgain,
  enableEbpf,
  installCalico,
  restoreProxy,
  resetSandbox,
  endSession,
  saveStep,
  continueStep,
  acknowledge,
  fix,
  getRelease,
  stopRelease,
  fieldsOfRelease,
  discardDraft,
  reviewAgain,
  startReviewed,
  askRun,
  takeUpRun,
};

/** Gives the components of a page what they may ask of the server: they import nothing of `app`. Each action asks for the session itself. */
export function WithActions({ children }: { children: ReactNode }) {
  return <ActionsProvider actions={actions}>{children}</ActionsProvider>;
}
