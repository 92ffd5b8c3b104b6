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

/** `take-over` is to resume what another process left behind. */
export type RunAction = 'pause' | 'resume' | 'take-over' | 'stop' | 'undo';

/** Why a run was not asked, or does not do what it was asked; nothing was changed. */
export type RequestRefusal =
  | Extract<Refusal, { kind: 'ended' | 'held' }>
  | { kind: 'undone' }
  | { kind: 'undoing' }
  | { kind: 'paused' }
  | { kind: 'going-on' }
  | { kind: 'not-carried'; run: string }
  | { kind: 'no-answer'; run: string; holder: string; action: Asked }
  | { kind: 'not-taken'; run: string; because: string };

/** Who does what is asked of a run: the run in this process, the process that holds the Lease, or whoever takes it up now. */
export type RequestMet =
  | { by: 'own-run'; action: Asked }
  | { by: 'holder'; holder: string; action: Asked }
  | { by: 'taking-up'; how: Continuation['how'] }
  | { refused: RequestRefusal };

/** What a process that carries a run can be asked. */
type Asked = 'pause' | 'stop' | 'undo';

/** `holder`: of the Lease, another living process. */
export type CarriedBy = 'this-process' | 'nobody' | { holder: string };

/**
 * What can be asked of a run in this state, and who does it (operations.md › Two consoles). Whatever goes on is asked of whoever carries it; what stands
 * still is taken up by whoever asks. A run on its way back that nobody carries goes on that way, whichever of the two was asked.
 */
export function meetRequest(
  action: RunAction,
  { run, state, carriedBy }: { run: string; state: RunState; carriedBy: CarriedBy },
): RequestMet {
  if (action === 'undo' && state.kind === 'undone') return { refused: { kind: 'undone' } };
  if (action !== 'undo' && hasEnded(state)) return { refused: { kind: 'ended', state: state.kind } };
  if (action === 'pause' && state.kind === 'paused') return { refused: { kind: 'paused' } };
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
    return { refused: { kind: 'undoing' } };
  return carriedBy === 'this-process' ? { by: 'own-run', action } : { by: 'holder', holder: carriedBy.holder, action };
}

type LookContext = Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'identity' | 'signal'>;

/** The same of a run that this process does not carry. A holder of another machine is watched for 6 s; nothing is changed. */
export async function meetRequestFromOutside(
  context: LookContext,
  action: RunAction,
  { run, state }: { run: string; state: RunState },
): Promise<RequestMet> {
  // Only a run that goes on is carried by anybody: the Lease may be held for another one.
  const holder = state.kind === 'running' ? await otherHolder(context) : null;
  return meetRequest(action, { run, state, carriedBy: holder === null ? 'nobody' : { holder } });
}

/** A holder looks for requests between two looks at the cluster; on 5,000 nodes that takes up to 15 s. */
const answerWithinMs = 30_000;

/** Leaves the request on the run's journal and waits until its holder answers there. Null: it does what it was asked. */
export async function askHolder(
  { kube, clock, journalNamespaces, identity, signal }: LookContext,
  run: string,
  { action, holder }: { action: Asked; holder: string },
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
    // It paused or ended by itself meanwhile, and looks for no more requests.
    const now = meetRequest(action, { run, state: journal.state, carriedBy: { holder } });
    if ('refused' in now) return now.refused;
    await clock.sleep(500, signal);
  }
  return { kind: 'no-answer', run, holder, action };
}
