import { type ForeignReview, type ForeignRunContext, reviewForeignRun } from '#lib/run/index.ts';
import { type PrepareOptions, preparePlan } from './prepare.ts';

export type LookThroughContext = Omit<ForeignRunContext, 'planFrom'> & Pick<PrepareOptions, 'clock' | 'manifests'>;

/** Examines a run that this installation did not seal, and plans it again if it would be carried on (`reviewForeignRun`). Changes nothing. */
export function lookThroughForeignRun(
  { clock, manifests, ...context }: LookThroughContext,
  run: string,
  wanted: 'resume' | 'undo',
): Promise<ForeignReview | null> {
  const { kube, journalNamespaces, releases, signal } = context;
  const planFrom: ForeignRunContext['planFrom'] = async (choices) => {
    const options = { kube, journalNamespaces, signal, ...(clock && { clock }), releases, manifests };
    return (await preparePlan({ ...options, answers: choices, choices: () => choices })).plan;
  };
  return reviewForeignRun({ ...context, planFrom }, run, wanted);
}
