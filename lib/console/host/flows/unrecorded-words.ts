import type { UnrecordedTimes } from '#lib/flows/index.ts';

/** The time after a run that is compared: all of it, or the time of the page, which reaches to now or has an end of its own. */
export type ComparedTime = 'since-run' | 'until-now' | 'ended';

const reasons = 'Flow logs were off, or this console kept no history then.';

/** Which of the two times of a comparison was not recorded, as sentences: what there is of the other is no comparison. */
export function unrecordedWords(unrecorded: UnrecordedTimes, compared: ComparedTime): string {
  const shown = compared === 'since-run' ? 'the time since the run' : 'the time that is shown';
  const notYet = `Nothing was recorded in ${shown} yet, so there is nothing to compare. Flows come up to a minute late.`;
  switch (unrecorded) {
    case 'ahead':
      // A time that reaches to now reaches the end of the run too: only the newest flow does not.
      return compared === 'ended'
        ? 'The time that is shown ends before the end of the run: choose a later one.'
        : notYet;
    case 'before':
      return `Nothing was recorded in the time before the run, so there is nothing to compare ${shown} with. ${reasons}`;
    case 'since':
      // In a time of the page, newer flows are there already.
      return compared === 'since-run'
        ? notYet
        : `Nothing was recorded in ${shown}, so there is nothing to compare. ${reasons}`;
    case 'neither':
      return 'The history of flows could not be read now: reload the page in a moment.';
    case 'both':
      return `Neither the time before the run nor ${shown} was recorded, so there is nothing to compare. ${reasons}`;
  }
}
