'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import type { Failure, HostAnswer, RequestTiming, Slug } from '#lib/console/host.ts';
import type { KeepAnswer, StepPlace, Values } from '#lib/console/wizard/index.ts';
import type { FieldSchema } from '#lib/installation/in-browser.ts';

/** A server action of a form: gets its previous answer and the form's data. */
type FormAction<T> = (before: HostAnswer<T> | null, form: FormData) => Promise<HostAnswer<T>>;
type StepAction = (place: StepPlace, before: unknown, form: FormData) => Promise<HostAnswer<null>>;

/** Buttons of a cluster; null: done, or another page was opened. */
export type ClusterAction =
  | 'askCluster'
  | 'checkCluster'
  | 'enableEbpf'
  | 'installCalico'
  | 'upgradeCalico'
  | 'restoreProxy';

/** `changes`: differences to the reviewed plan, if nothing was started because of them. */
export type Started = { answer: HostAnswer<{ run: string }>; changes: string[] };

/**
 * The server actions, provided by `app/with-actions.tsx`. A context instead of props, because buttons are up to six components below their page; a server component
 * that passes an action on gets it as a prop.
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
  askRun: FormAction<RequestTiming>;
  takeUpRun: FormAction<{ run: string }>;
};

const Context = createContext<Actions | null>(null);

export function ActionsProvider({ actions, children }: { actions: Actions; children: ReactNode }) {
  // Each server answer brings new functions for the same actions, which would restart forms that save while typing; the first ones are kept.
  const [kept] = useState(actions);
  return <Context.Provider value={kept}>{children}</Context.Provider>;
}

/** Throws without a provider. */
export function useActions(): Actions {
  const actions = useContext(Context);
  if (actions === null) throw new Error('This page gives no actions: wrap it in app/with-actions.tsx.');
  return actions;
}
