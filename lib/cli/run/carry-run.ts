import {
  memoryInFolder,
  ownIdentity,
  type RunContext,
  type RunResult,
  runControl,
  stateFolder,
} from '#lib/run/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { type AnyRefusal, refusalInWords } from '#lib/usecases/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, type ExitCode, exit } from '../exit.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { releasePorts } from '../release/release-ports.ts';
import { jsonStory, plainStory, type Story, silentStory, terminalStory } from '../show/run-story.ts';
import { keepGoingWithoutReader } from '../terminal/closed-pipe.ts';
import { formatOf } from '../terminal/output.ts';
import { interruptions } from './interruptions.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';
import { sameCluster } from './same-cluster.ts';

/**
 * Carries a run in this process: prints its events, asks on Ctrl-C (pause, stop or continue), and hands over on SIGTERM. Returns the exit code (cli.md › Exit
 * codes), 4 if the run did not end as requested.
 */
export async function carryRun(
  invocation: Invocation,
  cluster: OpenCluster,
  asked: 'done' | 'undone' | 'stopped',
  work: (context: RunContext) => Promise<RunResult>,
): Promise<number> {
  const { terminal, env, signal } = invocation;
  const control = runControl();
  const story = storyFor(invocation);
  let undoing = asked === 'undone';
  const { interrupt, happened } = interruptions({ terminal, story, control }, () => undoing);
  process.on('SIGINT', interrupt);
  keepGoingWithoutReader();
  const folder = await stateFolder(env);
  try {
    const result = await work({
      kube: cluster.kube,
      clock: cluster.clock,
      journalNamespaces: journalNamespacesOf(invocation),
      identity: await ownIdentity(folder),
      memory: await memoryInFolder(folder),
      control,
      manifests: releasePorts(cluster, env, terminal).manifests,
      signal,
      onEvent: (event) => {
        if (event.event === 'operation') undoing = event.data.direction === 'undo';
        story.tell(event);
      },
    });
    story.end();
    return conclude(result, asked, invocation, happened());
  } finally {
    process.off('SIGINT', interrupt);
  }
}

export function storyFor({ terminal, flags }: Invocation): Story {
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  if (format === 'json') return jsonStory(terminal);
  if (terminal.verbosity === 'quiet') return silentStory;
  return terminal.canAsk && terminal.isTerminal ? terminalStory(terminal) : plainStory(terminal);
}

/** Prints how a run ended, and returns the exit code. */
export function conclude(
  result: RunResult,
  asked: 'done' | 'undone' | 'stopped',
  { terminal, flags }: Invocation,
  interrupted: boolean,
): number {
  if ('refused' in result) throw refused(result.refused, sameCluster(flags));
  const { run, outcome } = result;
  const on = sameCluster(flags);
  switch (outcome.kind) {
    case 'done':
      terminal.err(
        `Run ${run} is done.\n  \`signalbox undo ${run}${on}\` undoes it,\n  \`signalbox report ${run}${on}\` shows what it did.`,
      );
      break;
    case 'undone':
      terminal.err(`Run ${run} was undone.\n  \`signalbox report ${run}${on}\` shows what remains on purpose.`);
      break;
    case 'stopped':
      terminal.err(
        `Run ${run} was stopped; the cluster stays as it is.${outcome.remains.length > 0 ? ` Done so far:\n${outcome.remains.map((one) => `  ${visibleLine(one)}`).join('\n')}` : ''}`,
      );
      break;
    case 'paused':
      terminal.err(
        `Run ${run} is paused: ${visibleLine(outcome.because)}\nChoices: ${outcome.choices.map((choice) => choiceCommand(choice, run, outcome.operation, on)).join('; ')}`,
      );
      break;
    case 'interrupted':
      terminal.err(`Run ${run} was left as it stands. \`signalbox resume ${run}${on}\` carries it on.`);
      return exit.interrupted;
    case 'lost':
      terminal.err(`Run ${run} is carried by another process now: ${visibleLine(outcome.because)}.`);
      break;
  }
  if (outcome.kind === asked) return exit.fine;
  return outcome.kind === 'paused' && interrupted ? exit.interrupted : exit.notAsAsked;
}

function choiceCommand(choice: string, run: string, operation: string | null, on: string): string {
  switch (choice) {
    case 'keep-waiting':
    case 'resume':
      return `${choice === 'resume' ? 'go on' : 'keep waiting'}: signalbox resume ${run}${on}`;
    case 'acknowledge':
      return `accept it: signalbox resume ${run}${on} --acknowledge ${operation}='your reason'`;
    case 'undo':
      return `undo it: signalbox undo ${run}${on}`;
    default:
      return `leave it so: signalbox stop ${run}${on}`;
  }
}

/** A refusal as an error with the next command. `on`: the flags that name the same cluster (`sameCluster`), with a space before each. */
export function refused(refusal: AnyRefusal, on: string): CliError {
  const { exitCode, about, wayOut } = onCommandLine(refusal, on);
  const { message } = refusalInWords(refusal);
  return new CliError(exitCode, [about, message, wayOut].filter((part) => part !== undefined).join(' '));
}

function endings(run: string, on: string): string {
  const commands = ['resume', 'undo', 'stop'].map((command) => `\`signalbox ${command} ${run}${on}\``);
  return `The commands: ${commands.join(', ')}.`;
}

/** `about`: the argument or flag that was refused. */
function onCommandLine(refusal: AnyRefusal, on: string): { exitCode: ExitCode; about?: string; wayOut?: string } {
  switch (refusal.kind) {
    case 'held':
      return { exitCode: exit.notAsAsked, wayOut: `\`signalbox status --watch${on}\` follows it.` };
    case 'unfinished':
      return {
        exitCode: exit.notAsAsked,
        wayOut: endings(refusal.run, on),
      };
    case 'foreign':
      return {
        exitCode: exit.notAsAsked,
        wayOut: `\`signalbox resume ${refusal.run}${on}\` or \`signalbox undo ${refusal.run}${on}\` shows what it would do.`,
      };
    case 'no-answer':
      return {
        exitCode: exit.notAsAsked,
        wayOut: `Then \`signalbox ${refusal.action} ${refusal.run}${on}\` does it here.`,
      };
    case 'changed-since-shown':
    case 'going-on':
    case 'not-taken':
      return { exitCode: exit.notAsAsked };
    // The requested state holds already.
    case 'paused':
    case 'undoing':
    case 'nothing-to-do':
      return { exitCode: exit.fine };
    case 'not-carried':
      return {
        exitCode: exit.fine,
        wayOut: endings(refusal.run, on),
      };
    case 'blocked':
    case 'needs-answers':
      return { exitCode: exit.blocked };
    case 'no-such-run':
      return { exitCode: exit.usage, about: 'RUN:', wayOut: `\`signalbox runs${on}\` lists them.` };
    case 'ended':
    case 'undone':
      return { exitCode: exit.usage, about: 'RUN:' };
    case 'later-run':
      return {
        exitCode: exit.usage,
        about: 'RUN:',
        wayOut: `\`signalbox undo ${refusal.run}${on}\` takes that one back.`,
      };
    case 'nothing-to-accept':
      return { exitCode: exit.usage, about: '--acknowledge:', wayOut: `\`signalbox report${on}\` names it.` };
    case 'other-cluster':
      return { exitCode: exit.usage };
  }
}
