import type { Failure } from '../host.ts';
import type { StepId } from './answers.ts';
import type { Values } from './forms/step-form.ts';

/** One step of one draft: what an action is about. `from`: the page that it was opened from, and goes back to, where that is not the step before. */
export type StepPlace = { cluster: string; draft: string; step: StepId; from?: 'ready' | undefined };

/** A step's answers as they are kept, in the form's own words, with the draft's revision. */
export type Kept = { revision: number; values: Values };

/** `theirs`: what is kept now, when another tab or browser was there first. `typed`: what was sent, for a form that has no script to keep it. */
export type KeepAnswer = { ok: true; value: Kept } | (Failure & { theirs?: Kept; typed?: Values });
