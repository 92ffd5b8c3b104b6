import type { Failure } from '#lib/console/host.ts';
import type { KeepAnswer, SavedAnswers, Values } from '#lib/console/wizard/index.ts';
import { actionFailure, consoleIsAway } from '../action-failure.ts';

/** The state of typed values. Only in `saved` the server has all of them. */
export type Saving =
  | { kind: 'saved' }
  | { kind: 'typed' }
  /** Not sent yet: a field is missing or wrong. */
  | { kind: 'incomplete' }
  | { kind: 'saving' }
  | { kind: 'conflict'; theirs: SavedAnswers; mine: Values }
  | { kind: 'failed'; failure: Failure };

export type Autosave = {
  /** The form's values after a change. */
  typed(values: Values): void;
  /** Sends unsent values; null if they could not be saved. */
  flush(): Promise<SavedAnswers | null>;
  /** Takes the saved values of a refreshed page. Returns values to show, or null to leave the form unchanged. */
  adopt(saved: SavedAnswers): Values | null;
  takeMine(): void;
  takeTheirs(): Values | null;
  stop(): void;
};

const delayMs = 500;
const retryMs = 5_000;

export type AutosaveOptions = {
  saved: SavedAnswers;
  send(revision: number, values: Values): Promise<KeepAnswer>;
  /** Whether the values are complete and valid. */
  isWhole(values: Values): boolean;
  tell(saving: Saving, unsaved: { base: Values; values: Values } | null): void;
};

/**
 * Saves a form's values while they are typed, one request at a time. Typed values are dropped only if the user chooses others. Changes of other steps are no conflict;
 * the user is asked only if this step's answers were changed elsewhere.
 */
export function autosave({ saved, send, isWhole, tell }: AutosaveOptions): Autosave {
  let base = saved;
  let wanted: Values | null = null;
  let theirs: SavedAnswers | null = null;
  let inFlight: Promise<SavedAnswers | null> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (saving: Saving) => tell(saving, wanted && { base: base.values, values: wanted });
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), ms);
  };

  const run = (): Promise<SavedAnswers | null> => {
    clearTimeout(timer);
    inFlight ??= sendWanted().finally(() => {
      inFlight = null;
    });
    return inFlight;
  };

  const sendWanted = async (): Promise<SavedAnswers | null> => {
    while (wanted !== null && theirs === null) {
      const values = wanted;
      if (!isWhole(values)) {
        say({ kind: 'incomplete' });
        return null;
      }
      say({ kind: 'saving' });
      const answer: KeepAnswer = await send(base.revision, values).catch(actionFailure);
      if (answer.ok) {
        base = answer.value;
        if (wanted === values) wanted = null;
      } else if (answer.theirs === undefined) {
        const isAway = answer.code === consoleIsAway.code;
        // The failure of unsent requests suggests a retry, which happens here automatically.
        say({ kind: 'failed', failure: isAway ? consoleIsAway : answer });
        // Both may pass: the console answers again, or the user signs in in another tab.
        if (isAway || answer.code === 'session.missing') later(retryMs);
        return null;
      } else if (isSame(answer.theirs.values, base.values)) {
        base = answer.theirs;
      } else if (isSame(answer.theirs.values, values)) {
        base = answer.theirs;
        if (wanted === values) wanted = null;
      } else {
        theirs = answer.theirs;
      }
    }
    if (theirs !== null && wanted !== null) say({ kind: 'conflict', theirs, mine: wanted });
    else say({ kind: 'saved' });
    return theirs === null ? base : null;
  };

  return {
    typed: (values) => {
      const isBack = isSame(values, base.values) && inFlight === null && theirs === null;
      wanted = isBack ? null : values;
      if (theirs !== null) say({ kind: 'conflict', theirs, mine: values });
      else if (isBack) {
        clearTimeout(timer);
        say({ kind: 'saved' });
      } else {
        say({ kind: 'typed' });
        later(delayMs);
      }
    },
    flush: () => run(),
    adopt: (fresh) => {
      if (fresh.revision <= base.revision) return null;
      const isOther = !isSame(fresh.values, base.values);
      // A conflict with typed text is detected by the server when the text is sent.
      if (isOther && wanted !== null) return null;
      base = fresh;
      return isOther ? fresh.values : null;
    },
    takeMine: () => {
      if (theirs === null) return;
      base = theirs;
      theirs = null;
      void run();
    },
    takeTheirs: () => {
      if (theirs === null) return null;
      base = theirs;
      theirs = null;
      wanted = null;
      say({ kind: 'saved' });
      return base.values;
    },
    stop: () => clearTimeout(timer),
  };
}

function isSame(left: Values, right: Values): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => left[name] === right[name]);
}
