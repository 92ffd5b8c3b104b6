import type { Failure } from '../host.ts';
import type { StepId } from './answers.ts';
import type { Values } from './forms/step-form.ts';

/** A step of a draft. `from`: the page to return to, if it is not the previous step. */
export type StepPlace = { cluster: string; draft: string; step: StepId; from?: 'ready' | undefined };

/** A step's saved answers as form values, with the draft's revision. */
export type SavedAnswers = { revision: number; values: Values };

/** `theirs`: the saved answers, if another tab or browser saved first. `typed`: the values that were sent, for forms without script. */
export type KeepAnswer = { ok: true; value: SavedAnswers } | (Failure & { theirs?: SavedAnswers; typed?: Values });
