'use server';

import { refresh, revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { forSession } from '#app/session.ts';
import { changeAnswers } from '#components/wizard/change-answers.ts';
import { keepStep, keptStep } from '#components/wizard/keep-step.ts';
import { leastReason, refusals } from '#components/wizard/refused-answer.tsx';
import { wizardContext } from '#components/wizard/wizard-context.ts';
import { type Failure, type HostAnswer, host } from '#lib/console/host.ts';
import {
  changePath,
  type KeepAnswer,
  neighbours,
  readyPath,
  type StepPlace,
  stepPath,
  stepStates,
  type Values,
} from '#lib/console/wizard/index.ts';
import { type FieldSchema, installationSchema } from '#lib/installation/index.ts';
import { placeSchema } from './place-schema.ts';

const revisionSchema = z.coerce.number().int();

/** Saves values while they are typed. Does not refresh the page; the form does that once this has settled. */
export async function saveStep(given: StepPlace, revision: number, values: Values): Promise<KeepAnswer> {
  const answer = await forSession(() => keepStep(placeSchema.parse(given), revisionSchema.parse(revision), values));
  if (answer.ok || answer.code !== 'draft.changed') return answer;
  const theirs = await keptStep(placeSchema.parse(given));
  return theirs === null ? answer : { ...answer, theirs };
}

/**
 * Saves the step and continues, or returns why not. Forms without script send `plain` and get a separate page as the answer, because Next's server never finishes
 * the page that it would render around an action's value.
 */
export async function continueStep(place: StepPlace, _before: unknown, form: FormData): Promise<KeepAnswer | null> {
  const { revision, plain, ...sent } = Object.fromEntries(form);
  const typed = proposalTaken(textsOf(sent));
  const kept = await saveStep(place, revisionSchema.catch(0).parse(revision), typed);
  if (!kept.ok && plain !== undefined) redirect(stepOfPlace(place));
  if (!kept.ok) return { ...kept, typed };
  const ready = await forSession(() => mayContinue(placeSchema.parse(place)));
  // Drop cached pages, or the browser's *back* would show this step without its answer.
  revalidatePath('/', 'layout');
  if (ready.ok) redirect(place.from === 'ready' ? pageOf(place) : stepPath(place.cluster, place.draft, ready.value));
  if (plain !== undefined) redirect(stepOfPlace(place));
  refresh();
  return { ...ready, typed };
}

/** The page to show after an answer outside of the step's own form. */
function pageOf(place: StepPlace): string {
  return place.from === 'ready' ? readyPath(place.cluster, place.draft) : stepOfPlace(place);
}

/** The same page with the reason why an answer was not saved, for forms without script. */
function refusedAt(place: StepPlace, code: string): string {
  const page = pageOf(place);
  return `${page}${page.includes('?') ? '&' : '?'}refused=${encodeURIComponent(code)}`;
}

function stepOfPlace({ cluster, draft, step, from }: StepPlace): string {
  return from === 'ready' ? changePath(cluster, draft, step) : stepPath(cluster, draft, step);
}

/** Handles the button "Use this address" of forms without script. */
function proposalTaken({ use, proposedHost, proposedPort, ...values }: Values): Values {
  if (use !== 'proposal' || proposedHost === undefined || proposedPort === undefined) return values;
  return { ...values, host: proposedHost, port: proposedPort };
}

/** The next step, if the step is ready. */
async function mayContinue({
  cluster,
  draft,
  step,
}: StepPlace): Promise<HostAnswer<NonNullable<ReturnType<typeof neighbours>['next']>>> {
  const [found, assessed] = await Promise.all([host().draft(cluster, draft), host().assess(cluster, draft, 'kept')]);
  if (!found.ok) return found;
  if (!assessed.ok) return assessed;
  const states = stepStates(found.value, wizardContext(found.value, assessed.value));
  const here = states.find(({ id }) => id === step);
  if (here?.ready.kind === 'not-ready') return { ok: false, code: 'step.not-ready', message: here.ready.because };
  return { ok: true, value: neighbours(step, found.value.answers).next ?? 'review' };
}

/** Reads the cluster again. */
export async function checkAgain(place: StepPlace): Promise<HostAnswer<null>> {
  const answer = await forSession(async () => {
    const { cluster, draft } = placeSchema.parse(place);
    const assessed = await host().assess(cluster, draft, 'again');
    return assessed.ok ? { ok: true, value: null } : assessed;
  });
  // If the cluster cannot be read, the page keeps what was read before.
  if (answer.ok) refresh();
  return answer;
}

/** The chosen release's schema of an Installation, for completion and errors in the YAML; null until its files are open. */
export async function fieldsOfRelease(given: StepPlace): Promise<HostAnswer<FieldSchema | null>> {
  return forSession(async () => {
    const { cluster, draft } = placeSchema.parse(given);
    const assessed = await host().assess(cluster, draft, 'kept');
    if (!assessed.ok) return assessed;
    const { contents } = assessed.value;
    return { ok: true, value: contents && installationSchema(contents) };
  });
}

/** Starts the download of the release's files, also after a failure. */
export async function getRelease(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  return pressed(place, form, ({ cluster, draft }) => host().getRelease(cluster, draft));
}

export async function stopRelease(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  return pressed(place, form, ({ cluster, draft }) => host().stopRelease(cluster, draft));
}

/** Tests the nodes with exactly the objects that the page showed, identified by their digest. */
export async function startPreflight(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  const digest = z.string().max(64).catch('').parse(form.get('digest'));
  return pressed(place, form, ({ cluster, draft }) => host().startPreflight(cluster, draft, digest));
}

export async function stopPreflight(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  return pressed(place, form, ({ cluster }) => host().stopPreflight(cluster));
}

async function pressed(
  place: StepPlace,
  form: FormData,
  ask: (place: StepPlace) => Promise<HostAnswer<unknown>>,
): Promise<HostAnswer<null>> {
  const answer = await forSession(() => ask(placeSchema.parse(place)));
  if (form.has('plain')) redirect(pageOf(place));
  if (answer.ok || answer.code === 'preflight.changed') refresh();
  return answer.ok ? { ok: true, value: null } : answer;
}

/**
 * Records the reason for accepting a finding, or several (repeated `id`), or removes it. Every reason comes with the `revision` of the draft that the page showed,
 * so that it does not apply to an address that was changed meanwhile.
 */
export async function acknowledge(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  const { reason, take } = Object.fromEntries(form);
  const ids = form.getAll('id').filter((id) => typeof id === 'string');
  if (ids.length === 0 || typeof reason !== 'string') return noAnswer;
  const isBack = take === 'back';
  if (!isBack && reason.trim().length < leastReason) {
    const code = 'acknowledge.reason';
    if (form.has('plain')) redirect(refusedAt(place, code));
    return { ...noAnswer, code, message: refusals[code], fields: { reason: refusals[code] } };
  }
  return changed(place, form, ({ acknowledge: kept }) => {
    const others = Object.entries(kept).filter(([id]) => !ids.includes(id));
    const given = isBack ? [] : ids.map((id) => [id, reason.trim()] as const);
    return { acknowledge: Object.fromEntries([...others, ...given]) };
  });
}

/** Adds a finding's fix to the plan, or removes it. */
export async function fix(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  const { id, take } = Object.fromEntries(form);
  if (typeof id !== 'string') return noAnswer;
  return changed(place, form, ({ fix }) => ({
    fix: [...fix.filter((one) => one !== id), ...(take === 'back' ? [] : [id])],
  }));
}

/** Turns the watch of Services during the run on or off, like `--watch-services` and `--no-watch-services`. */
export async function watchServices(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  return changed(place, form, () => ({ watchServices: form.get('turn') === 'on' }));
}

/** Turns the pause at each intermediate release on or off, like `--pause-between`. */
export async function pauseBetween(place: StepPlace, _before: unknown, form: FormData): Promise<HostAnswer<null>> {
  return changed(place, form, () => ({ pauseBetween: form.get('turn') === 'on' ? true : undefined }));
}

async function changed(
  place: StepPlace,
  form: FormData,
  change: Parameters<typeof changeAnswers>[1],
): Promise<HostAnswer<null>> {
  const seen = form.has('revision') ? revisionSchema.catch(0).parse(form.get('revision')) : undefined;
  // The review has no answers of its own; those given there belong to the step before it.
  const asked = (given: StepPlace): StepPlace =>
    given.step === 'review' ? { ...given, step: 'compatibility' } : given;
  const answer = await forSession(() => changeAnswers(asked(placeSchema.parse(place)), change, seen));
  if (form.has('plain')) redirect(answer.ok ? pageOf(place) : refusedAt(place, answer.code));
  if (answer.ok || answer.code === 'draft.changed') refresh();
  return answer;
}

function textsOf(fields: Record<string, FormDataEntryValue>): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' && !name.startsWith('$ACTION') ? [[name, value]] : [],
    ),
  );
}

const noAnswer: Failure = { ok: false, code: 'form', message: 'The form was incomplete. Load the page again.' };
