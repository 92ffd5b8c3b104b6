import {
  memoryInFolder,
  ownIdentity,
  type RunContext,
  type RunResult,
  runControl,
  stateFolder,
} from '#lib/run/index.ts';
import { visibleLine, withClusterFlags } from '#lib/text/index.ts';
import { type AnyRefusal, refusalInWords } from '#lib/usecases/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, type ExitCode, exit } from '../exit.ts';
import type { Flags } from '../flags.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { releasePorts } from '../release/release-ports.ts';
import {
  dataStory,
  plainStory,
  type RunStory,
  silentStory,
  storyWithClusterFlags,
  terminalStory,
} from '../show/run-story.ts';
import { keepGoingWithoutReader } from '../terminal/closed-pipe.ts';
import { formatOf } from '../terminal/output.ts';
import { interruptions } from './interruptions.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';
import { sameClusterByProgram, withFlagsOf } from './same-cluster.ts';

/**
 * Carries a run in this process: prints its events, asks on Ctrl-C (pause, stop or continue), and hands over on SIGTERM. Returns the exit code (cli.md › Exit
 * codes), 4 if the run did not end as requested.
 */
export async function carryRun(
  invocation: Invocation,
  cluster: OpenCluster,
  expected: 'done' | 'undone' | 'stopped',
  work: (context: RunContext) => Promise<RunResult>,
): Promise<number> {
  const { terminal, env, signal } = invocation;
  const control = runControl();
  const story = storyFor(invocation);
  let undoing = expected === 'undone';
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
    return conclude(result, expected, invocation, happened());
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** The format of a run's output, from `-o`. */
export function runFormat(flags: Flags): 'table' | 'json' | 'yaml' {
  return formatOf(flags, ['table', 'json', 'yaml'] as const);
}

export function storyFor({ terminal, flags }: Invocation): RunStory {
  const format = runFormat(flags);
  if (format !== 'table') return dataStory(format, terminal);
  if (terminal.verbosity === 'quiet') return silentStory;
  const story = terminal.canAsk && terminal.isTerminal ? terminalStory(terminal) : plainStory(terminal);
  return storyWithClusterFlags(story, sameClusterByProgram(flags));
}

/** Prints how a run ended, and returns the exit code. */
export function conclude(
  result: RunResult,
  expected: 'done' | 'undone' | 'stopped',
  { terminal, flags }: Invocation,
  interrupted: boolean,
): number {
  if ('refused' in result) throw refusalWithCommand(result.refused);
  const { run, outcome } = result;
  const say = (sentence: string) => terminal.err(withFlagsOf(sentence, flags));
  switch (outcome.kind) {
    case 'done':
      say(
        `Run ${run} is done.\n  \`signalbox undo ${run}\` undoes it,\n  \`signalbox report ${run}\` shows what it did.`,
      );
      break;
    case 'undone':
      say(`Run ${run} was undone.\n  \`signalbox report ${run}\` shows what remains on purpose.`);
      break;
    case 'stopped':
      terminal.err(
        `Run ${run} was stopped; the cluster stays as it is.${outcome.remains.length > 0 ? ` Done so far:\n${outcome.remains.map((one) => `  ${visibleLine(one)}`).join('\n')}` : ''}`,
      );
      break;
    case 'paused':
      say(`Run ${run} is paused: ${visibleLine(outcome.because)}`);
      terminal.err(
        `Choices: ${outcome.choices.map((choice) => choiceCommand(choice, run, outcome.operation, flags)).join('; ')}`,
      );
      break;
    case 'interrupted':
      say(`Run ${run} is interrupted. \`signalbox resume ${run}\` continues it.`);
      return exit.interrupted;
    case 'lost':
      terminal.err(`Another process carries out run ${run} now: ${visibleLine(outcome.because)}.`);
      break;
  }
  if (outcome.kind === expected) return exit.fine;
  return outcome.kind === 'paused' && interrupted ? exit.interrupted : exit.notAsAsked;
}

function choiceCommand(choice: string, run: string, operation: string | null, flags: Flags): string {
  const led = (command: string) => `\`${withClusterFlags(command, sameClusterByProgram(flags))}\``;
  switch (choice) {
    case 'keep-waiting':
    case 'resume':
      return `${choice === 'resume' ? 'continue' : 'keep waiting'}: ${led(`signalbox resume ${run}`)}`;
    case 'acknowledge':
      return `accept it: ${led(`signalbox resume ${run} --acknowledge ${operation}='your reason'`)}`;
    case 'undo':
      return `undo it: ${led(`signalbox undo ${run}`)}`;
    default:
      return `stop here: ${led(`signalbox stop ${run}`)}`;
  }
}

/** A refusal with the command that leads on from it. `found`: the run that a command without RUN found. */
export function refusalWithCommand(refusal: AnyRefusal, found?: string): CliError {
  const { exitCode, about, wayOut } = ofFoundRun(onCommandLine(refusal), found);
  const { message } = refusalInWords(refusal);
  return new CliError(exitCode, [about, message, wayOut].filter((part) => part !== undefined).join(' '));
}

/** Without RUN on the command line the refusal is about none that was typed: it says which run was found, and where the others are. */
function ofFoundRun(told: OnCommandLine, found: string | undefined): OnCommandLine {
  if (found === undefined || told.about !== 'RUN:') return told;
  return { wayOut: '`signalbox runs` lists the others.', ...told, about: `Run ${found}:` };
}

function endings(run: string): string {
  const commands = ['resume', 'undo', 'stop'].map((command) => `\`signalbox ${command} ${run}\``);
  return `The commands: ${commands.join(', ')}.`;
}

type OnCommandLine = { exitCode: ExitCode; about?: string; wayOut?: string };

/** `about`: the argument or flag that it is an answer to. `forSameCluster` adds the flags of the cluster to the commands of every error. */
function onCommandLine(refusal: AnyRefusal): OnCommandLine {
  switch (refusal.kind) {
    case 'held':
      return { exitCode: exit.notAsAsked, wayOut: `\`signalbox status --watch\` follows it.` };
    case 'unfinished':
      return {
        exitCode: exit.notAsAsked,
        wayOut: endings(refusal.run),
      };
    case 'foreign':
      return {
        exitCode: exit.notAsAsked,
        wayOut: `\`signalbox resume ${refusal.run}\` or \`signalbox undo ${refusal.run}\` shows what it would do.`,
      };
    case 'no-answer':
      return {
        exitCode: exit.notAsAsked,
        wayOut: `Then \`signalbox ${refusal.action} ${refusal.run}\` does it here.`,
      };
    case 'changed-since-shown':
    case 'going-on':
    case 'not-taken':
      return { exitCode: exit.notAsAsked };
    // The requested state holds already.
    case 'nothing-to-do':
      return { exitCode: exit.fine };
    case 'undoing':
      return { exitCode: exit.fine, wayOut: `\`signalbox status --watch\` follows it.` };
    case 'paused':
    case 'not-carried':
      return {
        exitCode: exit.fine,
        wayOut: endings(refusal.run),
      };
    case 'blocked':
    case 'needs-answers':
      return { exitCode: exit.blocked };
    case 'no-such-run':
      return { exitCode: exit.usage, about: 'RUN:', wayOut: `\`signalbox runs\` lists them.` };
    case 'ended':
    case 'undone':
      return { exitCode: exit.usage, about: 'RUN:' };
    case 'later-run':
      return {
        exitCode: exit.usage,
        about: 'RUN:',
        wayOut: `\`signalbox undo ${refusal.run}\` takes that one back.`,
      };
    case 'nothing-to-accept':
      return { exitCode: exit.usage, about: '--acknowledge:', wayOut: `\`signalbox report\` names it.` };
    case 'other-cluster':
      return { exitCode: exit.usage };
  }
}
