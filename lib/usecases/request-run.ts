import {
  answeredRequests,
  type Continuation,
  hasEnded,
  holderIdentity,
  otherHolder,
  type Refusal,
  type RunContext,
  type RunState,
  readRun,
  sendRequest,
} from '#lib/run/index.ts';

/** `take-over`: resume what another process left behind. */
export type RunAction = 'pause' | 'resume' | 'take-over' | 'stop' | 'undo';

/** Why a request was not made, or is not carried out; nothing was changed. */
export type RequestRefusal =
  | Extract<Refusal, { kind: 'ended' | 'held' }>
  | { kind: 'undone' }
  | { kind: 'undoing'; run: string }
  | { kind: 'paused'; run: string }
  | { kind: 'going-on' }
  | { kind: 'not-carried'; run: string }
  | { kind: 'no-answer'; run: string; holder: string; action: HolderRequest }
  | { kind: 'not-taken'; run: string; because: string };

/** Who carries the request out: this process, the holder of the Lease, or this process once it has taken the run up. */
export type RequestMet =
  | { by: 'own-run'; action: HolderRequest }
  | { by: 'holder'; holder: string; action: HolderRequest }
  | { by: 'taking-up'; how: Continuation['how'] }
  | { refused: RequestRefusal };

/** Requests that a process which carries a run accepts. */
type HolderRequest = 'pause' | 'stop' | 'undo';

/** `holder`: another living process that holds the Lease. */
export type CarriedBy = 'this-process' | 'nobody' | { holder: string };

/**
 * What may be requested of a run in this state, and who carries it out (operations.md › Two consoles). The process that carries a run gets the
 * request. If nobody carries it, the process that asks takes it up. A run on its way back that nobody carries continues on that way, whether *resume*
 * or *undo* was asked.
 */
export function meetRequest(
  action: RunAction,
  { run, state, carriedBy }: { run: string; state: RunState; carriedBy: CarriedBy },
): RequestMet {
  if (action === 'undo' && state.kind === 'undone') return { refused: { kind: 'undone' } };
  if (action !== 'undo' && hasEnded(state)) return { refused: { kind: 'ended', state: state.kind } };
  if (action === 'pause' && state.kind === 'paused') return { refused: { kind: 'paused', run } };
  const isResumed = action === 'resume' || action === 'take-over';
  if (carriedBy === 'nobody') {
    if (action === 'pause') return { refused: { kind: 'not-carried', run } };
    return { by: 'taking-up', how: isResumed ? 'resume' : action };
  }
  if (isResumed)
    return {
      refused: carriedBy === 'this-process' ? { kind: 'going-on' } : { kind: 'held', holder: carriedBy.holder, run },
    };
  if (action === 'undo' && state.kind === 'running' && state.direction === 'undo')
    return { refused: { kind: 'undoing', run } };
  return carriedBy === 'this-process' ? { by: 'own-run', action } : { by: 'holder', holder: carriedBy.holder, action };
}

type LookContext = Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'identity' | 'signal'>;

/**
 * What may be requested of a run that this process does not carry, and who carries it out. Watches a holder on another machine for 6 s. Changes
 * nothing. Rejects with a KubeError.
 */
export async function meetRequestFromOutside(
  context: LookContext,
  action: RunAction,
  { run, state }: { run: string; state: RunState },
): Promise<RequestMet> {
  // Only a run that is running has a holder. For any other state the Lease may be held for another run.
  const holder = state.kind === 'running' ? await otherHolder(context) : null;
  return meetRequest(action, { run, state, carriedBy: holder === null ? 'nobody' : { holder } });
}

/** A holder looks for requests between two looks at the cluster, which take up to 15 s with 5,000 nodes. */
const answerWithinMs = 30_000;

/** Writes the request to the run's journal and waits for the holder's answer there. Null: the holder does what was requested. */
export async function askHolder(
  { kube, clock, journalNamespaces, identity, signal }: LookContext,
  run: string,
  { action, holder }: { action: HolderRequest; holder: string },
): Promise<RequestRefusal | null> {
  const by = holderIdentity(identity);
  const read = async () => (await readRun(kube, journalNamespaces, run)).journal;
  const before = answeredRequests(await read()).length;
  await sendRequest(kube, journalNamespaces, run, action, by, clock);
  const began = clock.monotonic();
  while (clock.monotonic() - began < answerWithinMs) {
    const journal = await read();
    const answered = answeredRequests(journal)
      .slice(before)
      .find(({ request }) => request === `${action} by ${by}`);
    if (answered?.answer === 'taken') return null;
    if (answered) return { kind: 'not-taken', run, because: answered.answer };
    // The run paused or ended meanwhile, and its holder looks for no more requests.
    const now = meetRequest(action, { run, state: journal.state, carriedBy: { holder } });
    if ('refused' in now) return now.refused;
    await clock.sleep(500, signal);
  }
  return { kind: 'no-answer', run, holder, action };
}
