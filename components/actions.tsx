'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import type { Failure, Heard, HostAnswer, Slug } from '#lib/console/host.ts';
import type { KeepAnswer, StepPlace, Values } from '#lib/console/wizard/index.ts';
import type { FieldSchema } from '#lib/installation/in-browser.ts';

/** A server action behind a form: what it answered before, and what was sent. */
type FormAction<T> = (before: HostAnswer<T> | null, form: FormData) => Promise<HostAnswer<T>>;
type StepAction = (place: StepPlace, before: unknown, form: FormData) => Promise<HostAnswer<null>>;

/** Pressed on a cluster; null where it was done, or leads to another page. */
export type ClusterAction =
  | 'askCluster'
  | 'checkCluster'
  | 'enableEbpf'
  | 'installCalico'
  | 'upgradeCalico'
  | 'restoreProxy';

/** `changes`: what another plan does otherwise, when that is why nothing was started. */
export type Started = { answer: HostAnswer<{ run: string }>; changes: string[] };

/**
 * What pages may ask of the server, as `app/with-actions.tsx` gives it. It reaches components by this context and not from each to each, as a button
 * lies up to six components below its page; a server component that hands an action on has it as a prop.
 */
export type Actions = Record<ClusterAction, (cluster: Slug, before: Failure | null) => Promise<Failure | null>> & {
  resetSandbox(cluster: Slug): Promise<HostAnswer<null>>;
  endSession: FormAction<null>;
  saveStep(place: StepPlace, revision: number, values: Values): Promise<KeepAnswer>;
  continueStep(place: StepPlace, before: unknown, form: FormData): Promise<KeepAnswer | null>;
  acknowledge: StepAction;
  fix: StepAction;
  watchServices: StepAction;
  pauseBetween: StepAction;
  getRelease: StepAction;
  stopRelease: StepAction;
  startPreflight: StepAction;
  stopPreflight: StepAction;
  fieldsOfRelease(place: StepPlace): Promise<HostAnswer<FieldSchema | null>>;
  planSuggested(before: unknown, form: FormData): Promise<HostAnswer<null>>;
  renameDraft: FormAction<null>;
  discardDraft: FormAction<null>;
  reviewAgain: FormAction<null>;
  startReviewed(before: Started | null, form: FormData): Promise<Started>;
  askRun: FormAction<Heard>;
  takeUpRun: FormAction<{ run: string }>;
};

const Context = createContext<Actions | null>(null);

export function ActionsProvider({ actions, children }: { actions: Actions; children: ReactNode }) {
  // Each answer of the server brings new functions for the same actions: a form that saves while it is typed in would begin anew with each.
  const [kept] = useState(actions);
  return <Context.Provider value={kept}>{children}</Context.Provider>;
}

/** Throws where no page has given any. */
export function useActions(): Actions {
  const actions = useContext(Context);
  if (actions === null) throw new Error('This page gives no actions: wrap it in app/with-actions.tsx.');
  return actions;
}
