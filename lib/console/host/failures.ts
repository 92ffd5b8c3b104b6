import { ChoiceError } from '#lib/checks/index.ts';
import { isFlowError } from '#lib/flows/flow-error.ts';
import { isKubeError } from '#lib/kube/index.ts';
import { PlanError } from '#lib/plan/index.ts';
import { ReleaseError } from '#lib/release/index.ts';
import { type AnyRefusal, refusalInWords } from '#lib/usecases/index.ts';
import type { Failure, HostAnswer } from '../host.ts';
import type { HostLog } from './host-log.ts';
import { Refused } from './refused.ts';

/**
 * The one place that turns errors into the failures that users see. Codes are stable: `cluster.*` is an answer of the cluster's API or a fault on the way
 * to it (KubeErrorCode); the others name their subject. Null: a fault of Signalbox.
 */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof Refused) return error.asFailure();
  if (isKubeError(error)) return { ok: false, code: `cluster.${error.code}`, message: error.message };
  if (isFlowError(error)) return { ok: false, code: `flows.${error.code}`, message: error.message };
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
      message: `The console's state folder cannot be written: ${full}. Nothing was saved. Make room there, then try again.`,
    };
  return null;
}

const unwritable: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EROFS: 'its disk is read-only',
};
const sqliteFull = 13;

/** Explains a write error of the disk, which the log could not record as it may be on the same disk. Sandboxes are SQLite files. */
function whyUnwritable(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && error.errcode === sqliteFull) return unwritable.ENOSPC ?? null;
  return 'code' in error && typeof error.code === 'string' ? (unwritable[error.code] ?? null) : null;
}

/** Runs a method of the host. What the reader can act on is returned as an answer; a fault of Signalbox is logged with its cause and thrown. */
export async function answering<T>(log: HostLog, what: string, work: () => Promise<T>): Promise<HostAnswer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) {
      log(`${what}: a fault of Signalbox`, error);
      throw error;
    }
    log(`${what}: ${failure.code}: ${failure.message}`, error instanceof Error ? error.cause : undefined);
    return failure;
  }
}

/** A refusal in the form that a page gets. */
export function refusalAsError(refusal: AnyRefusal): Refused {
  const { code, message } = refusalInWords(refusal);
  return new Refused(code, message);
}
