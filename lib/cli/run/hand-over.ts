import { askConsole } from '#lib/console/ask-console.ts';
import type { Plan } from '#lib/plan/index.ts';
import {
  followRun,
  holderIdentity,
  type Journal,
  leaseHolderOf,
  ownIdentity,
  type RunResult,
  readRun,
  sendRequest,
  stateFolder,
} from '#lib/run/index.ts';
import { type JournalNamespaces, journalNamespaces } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, exit } from '../exit.ts';
import { inTheConsole } from '../in-the-console.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { keepGoingWithoutReader } from '../terminal/closed-pipe.ts';
import { conclude, storyFor } from './carry-run.ts';
import { interruptions } from './interruptions.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';
import { withFlagsOf } from './same-cluster.ts';

/** Refusals that are not about the plan: no console answers, or it does not have this cluster under this name. */
const notThere = /^(?:console|question|cluster)\.|^plan\.other-cluster$/;

/**
 * Hands a reviewed plan to the console with this state folder (architecture.md › Run), and returns the run's name there. Null: this process has to carry it. A
 * sandbox that this process has open is not in the console. The console uses the usual journal namespaces. It compares the cluster's UID before it starts.
 */
export async function handOver(invocation: Invocation, open: OpenCluster, plan: Plan): Promise<string | null> {
  const cluster = inTheConsole(open);
  if (cluster === null || journalNamespacesOf(invocation) !== journalNamespaces) return null;
  const reply = await askConsole(await stateFolder(invocation.env), { ask: 'apply', plan, cluster });
  if (reply.ok) {
    invocation.terminal.err(`The console on this machine carries out run ${reply.run}, also after this command ends.`);
    return reply.run;
  }
  if (!notThere.test(reply.code)) throw new CliError(exit.notAsAsked, reply.message);
  if (reply.code !== 'console.missing')
    invocation.terminal.err(
      `The console does not carry out this run, so this command does: ${visibleLine(reply.message)}`,
    );
  return null;
}

const lookEveryMs = 5_000;
/** Consecutive looks without a holder of the Lease, which take longer than a Lease lasts. */
const goneAfterLooks = 3;

type Left = 'detached' | 'holder-gone' | null;

/** Follows a run that another process of this machine carries. Ctrl-C asks as usual, and also offers to leave it there. */
export async function followHandedOver(invocation: Invocation, cluster: OpenCluster, run: string): Promise<number> {
  const { terminal, env, signal } = invocation;
  const { kube, clock } = cluster;
  const journalNamespaces = journalNamespacesOf(invocation);
  const by = holderIdentity(await ownIdentity(await stateFolder(env)));
  const story = storyFor(invocation);
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  let left: Left = null;
  let undoing = false;
  const leave = (why: NonNullable<Left>) => {
    left = why;
    leaving.abort(new Error(why));
  };
  const control = {
    ask: (action: 'pause' | 'resume' | 'stop' | 'undo') =>
      void sendRequest(kube, journalNamespaces, run, action, by, clock).catch((error: Error) =>
        terminal.err(`The console was not asked to ${action}: ${visibleLine(error.message)}`),
      ),
  };
  const { interrupt, happened } = interruptions(
    { terminal, story, control },
    () => undoing,
    () => leave('detached'),
  );
  const holderGone = () => leave('holder-gone');
  cluster.inConsole?.addEventListener('abort', holderGone);
  process.on('SIGINT', interrupt);
  keepGoingWithoutReader();
  const watching = watchHolder(cluster, journalNamespaces, stop, () => leave('holder-gone')).catch(() => undefined);
  try {
    for await (const event of followRun({ kube, clock, journalNamespaces, run, signal: stop })) {
      if (event.event === 'operation') undoing = event.data.direction === 'undo';
      story.tell(event);
    }
    story.end();
    if (cluster.inConsole?.aborted) return goesOn(invocation, run, 'holder-gone');
    const result = resultOf((await readRun(kube, journalNamespaces, run)).journal);
    if (result) return conclude(result, 'done', invocation, happened());
    // The console has closed the sandbox, so there is nothing to follow.
    return goesOn(invocation, run, left ?? (cluster.inConsole ? 'holder-gone' : null));
  } catch (error) {
    if (!cluster.inConsole?.aborted) throw error;
    story.end();
    return goesOn(invocation, run, 'holder-gone');
  } finally {
    cluster.inConsole?.removeEventListener('abort', holderGone);
    leaving.abort(new Error('The run is no longer followed.'));
    await watching;
    process.off('SIGINT', interrupt);
  }
}

async function watchHolder(
  { kube, clock }: OpenCluster,
  journalNamespaces: JournalNamespaces,
  stop: AbortSignal,
  onGone: () => void,
): Promise<void> {
  for (let looks = 0; looks < goneAfterLooks; ) {
    await clock.sleep(lookEveryMs, stop);
    // If the cluster does not answer, the holder is unknown.
    const holder = await leaseHolderOf(kube, clock, journalNamespaces).catch(() => null);
    looks = holder?.alive === false ? looks + 1 : 0;
  }
  onGone();
}

function resultOf({ run, state }: Journal): RunResult | null {
  switch (state.kind) {
    case 'running':
      return null;
    case 'paused':
      return { run, outcome: { ...state, operation: state.id } };
    case 'failed':
      return { run, outcome: { kind: 'paused', code: 'failed', because: state.because, choices: [], operation: null } };
    default:
      return { run, outcome: state };
  }
}

function goesOn({ terminal, flags }: Invocation, run: string, left: Left): number {
  const say = (sentence: string) => terminal.err(withFlagsOf(sentence, flags));
  if (left === 'holder-gone') {
    say(
      `The console that executed run ${run} is gone; the run waits. The next console that starts here continues it, or \`signalbox resume ${run}\` does.`,
    );
    return exit.notAsAsked;
  }
  say(
    `Run ${run} continues in the console. \`signalbox status --watch\` follows it, \`signalbox pause ${run}\` pauses it.`,
  );
  return exit.interrupted;
}
