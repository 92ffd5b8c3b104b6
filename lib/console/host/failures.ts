import { isKubeError } from '#lib/kube/index.ts';
import { PlanError } from '#lib/plan/index.ts';
import { ReleaseError } from '#lib/release/index.ts';
import { ChoiceError, foreignBecause, type Refusal } from '#lib/run/index.ts';
import type { Answer, Failure } from '../host.ts';
import type { HostLog } from './host-log.ts';
import { Refused } from './refused.ts';

/**
 * The one place where errors become what the reader is told. Codes are stable: `cluster.*` is what the cluster's API or the way to it answered
 * (KubeErrorCode), the others name what they are about. Null: a fault of ours.
 */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof Refused) return error.asFailure();
  if (isKubeError(error)) return { ok: false, code: `cluster.${error.code}`, message: error.message };
  if (error instanceof PlanError)
    return {
      ok: false,
      code: error.code,
      message: error.message,
      ...(error.path.length > 0 ? { fields: { [error.path.join('.')]: error.message } } : {}),
    };
  if (error instanceof ReleaseError) return { ok: false, code: error.code, message: error.message };
  if (error instanceof ChoiceError)
    return {
      ok: false,
      code: error.problems[0]?.code ?? 'choices',
      message: error.message,
      fields: Object.fromEntries(error.problems.map(({ field, message }) => [field, message])),
    };
  const full = whyUnwritable(error);
  if (full !== null)
    return {
      ok: false,
      code: 'state.unwritable',
      message: `The console's state folder cannot be written: ${full}. Nothing was kept; make room there, then try again.`,
    };
  return null;
}

const unwritable: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EROFS: 'its disk is read-only',
};
const sqliteFull = 13;

/** The log, which may be on the same disk, could not say it either. Sandboxes are files of SQLite. */
function whyUnwritable(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && error.errcode === sqliteFull) return unwritable.ENOSPC ?? null;
  return 'code' in error && typeof error.code === 'string' ? (unwritable[error.code] ?? null) : null;
}

/** Runs a method of the host: what the reader can act on is answered, a fault of ours is logged with its cause and thrown on. */
export async function answering<T>(log: HostLog, what: string, work: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) {
      log(`${what}: a fault of ours`, error);
      throw error;
    }
    log(`${what}: ${failure.code}: ${failure.message}`, error instanceof Error ? error.cause : undefined);
    return failure;
  }
}

/** Why a run did not start or go on, as `lib/run` says it. Nothing was changed. */
export function refusalAsError(refusal: Refusal): Refused {
  switch (refusal.kind) {
    case 'held':
      return new Refused(
        'run.held',
        `Another process carries ${refusal.run ? `run ${refusal.run}` : 'a run'} on this cluster (${refusal.holder}).`,
      );
    case 'unfinished':
      return new Refused(
        'run.unfinished',
        `Run ${refusal.run} on this cluster has not ended. Carry it on, take it back or end it where it stands first.`,
      );
    case 'no-such-run':
      return new Refused('run.not-found', 'There is no run of that name on this cluster.');
    case 'ended':
      return new Refused('run.ended', `This run has ended already (${refusal.state}).`);
    case 'later-run':
      return new Refused('run.later', `Run ${refusal.run} came later and rests on this one. Take that one back first.`);
    case 'nothing-to-accept':
      return new Refused(
        'run.nothing-to-accept',
        'Only the doubt of the step that the run is paused at can be accepted. Look at what it names now.',
      );
    case 'other-cluster':
      return new Refused(
        'plan.other-cluster',
        'This plan was made for another cluster (the UID of kube-system differs). Make it again here.',
      );
    case 'foreign':
      return new Refused('run.foreign', `${foreignBecause(refusal.because)} Look through it first.`);
    case 'changed-since-shown':
      return new Refused(
        'run.changed',
        `Run ${refusal.run} was changed while you looked through it. Nothing was done. Look at it again.`,
      );
  }
}
