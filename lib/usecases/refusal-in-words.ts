import { foreignBecause, laterRunWords, type Refusal, unfinishedRunWords } from '#lib/run/index.ts';
import type { RequestRefusal } from './request-run.ts';
import type { StartRefusal } from './start-plan.ts';

/** Every refusal that a face can get. */
export type AnyRefusal = Refusal | RequestRefusal | StartRefusal;

/**
 * Why a run did not start or go on, for every face; nothing was changed. `code` is stable. A face may add its own way out after the sentence, such as
 * the command to type.
 */
export function refusalInWords(refusal: AnyRefusal): { code: string; message: string } {
  switch (refusal.kind) {
    case 'held':
      return {
        code: 'run.held',
        message: `Another process is carrying out ${refusal.run ? `run ${refusal.run}` : 'a run'} on this cluster (${refusal.holder}).`,
      };
    case 'unfinished':
      return {
        code: 'run.unfinished',
        message: unfinishedRunWords(refusal.run),
      };
    case 'no-such-run':
      return { code: 'run.not-found', message: 'There is no run of that name on this cluster.' };
    case 'ended':
      return { code: 'run.ended', message: `This run has already ended (${refusal.state}).` };
    case 'later-run':
      return {
        code: 'run.later',
        message: laterRunWords(refusal.run),
      };
    case 'nothing-to-accept':
      return {
        code: 'run.nothing-to-accept',
        message: 'Only what the paused step could not verify can be accepted. Look at what it names now.',
      };
    case 'other-cluster':
      return {
        code: 'plan.other-cluster',
        message: 'This plan was made for another cluster (the UID of kube-system differs). Rebuild the plan here.',
      };
    case 'foreign':
      return { code: 'run.foreign', message: `${foreignBecause(refusal.because)} Review it first.` };
    case 'changed-since-shown':
      return {
        code: 'run.changed',
        message: `Run ${refusal.run} was changed while you reviewed it. Nothing was done. Review it again.`,
      };
    case 'undone':
      return { code: 'run.undone', message: 'This run is already undone.' };
    case 'undoing':
      return { code: 'run.undoing', message: `Run ${refusal.run} is already being undone.` };
    case 'paused':
      return { code: 'run.paused', message: `Run ${refusal.run} is already paused.` };
    case 'going-on':
      return { code: 'run.going-on', message: 'This run is already in progress, in this console.' };
    case 'not-carried':
      return {
        code: 'run.not-carried',
        message: `No process is carrying out run ${refusal.run}, so there is nothing to pause. Resume, undo or stop it.`,
      };
    case 'no-answer':
      return {
        code: 'run.no-answer',
        message: `The process that carries out run ${refusal.run} (${refusal.holder}) did not answer within 30 s. If it is gone, its Lease ends within 15 s; then the run can be taken over.`,
      };
    case 'not-taken':
      return {
        code: 'run.not-taken',
        message: `The process that carries out run ${refusal.run} refused: ${refusal.because}.`,
      };
    case 'blocked':
      return { code: 'plan.blocked', message: `This plan is blocked by ${refusal.ids.join(', ')}.` };
    case 'needs-answers':
      return {
        code: 'plan.needs-answers',
        message: `${refusal.ids.length === 1 ? 'One finding has' : `${refusal.ids.length} findings have`} to be fixed or accepted with a reason first: ${refusal.ids.join(', ')}.`,
      };
    case 'nothing-to-do':
      return { code: 'plan.nothing-to-do', message: 'Nothing to do: the cluster is already as this plan wants it.' };
  }
}
