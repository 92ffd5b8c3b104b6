import { foreignBecause, type Refusal } from '#lib/run/index.ts';

/**
 * Why a run did not start or go on, for every face; nothing was changed. `code` is stable. A face may add its own way out behind the sentence, as
 * the command to type.
 */
export function refusalInWords(refusal: Refusal): { code: string; message: string } {
  switch (refusal.kind) {
    case 'held':
      return {
        code: 'run.held',
        message: `Another process carries ${refusal.run ? `run ${refusal.run}` : 'a run'} on this cluster (${refusal.holder}).`,
      };
    case 'unfinished':
      return {
        code: 'run.unfinished',
        message: `Run ${refusal.run} on this cluster has not ended. Carry it on, take it back or end it where it stands first.`,
      };
    case 'no-such-run':
      return { code: 'run.not-found', message: 'There is no run of that name on this cluster.' };
    case 'ended':
      return { code: 'run.ended', message: `This run has ended already (${refusal.state}).` };
    case 'later-run':
      return {
        code: 'run.later',
        message: `Run ${refusal.run} came later and rests on this one. Take that one back first.`,
      };
    case 'nothing-to-accept':
      return {
        code: 'run.nothing-to-accept',
        message: 'Only the doubt of the step that the run is paused at can be accepted. Look at what it names now.',
      };
    case 'other-cluster':
      return {
        code: 'plan.other-cluster',
        message: 'This plan was made for another cluster (the UID of kube-system differs). Make it again here.',
      };
    case 'foreign':
      return { code: 'run.foreign', message: `${foreignBecause(refusal.because)} Look through it first.` };
    case 'changed-since-shown':
      return {
        code: 'run.changed',
        message: `Run ${refusal.run} was changed while you looked through it. Nothing was done. Look at it again.`,
      };
  }
}
