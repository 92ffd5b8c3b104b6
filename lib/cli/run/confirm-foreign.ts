import { type ConfirmedRun, type ForeignReview, foreignBecause, memoryInFolder, stateFolder } from '#lib/run/index.ts';
import { isNameAsShown, visibleLine } from '#lib/text/index.ts';
import { lookThroughForeignRun } from '#lib/usecases/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { FlagTable } from '../flags.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { releasePorts } from '../release/release-ports.ts';
import { diffLines } from '../show/plan-table.ts';
import { headline, type Terminal } from '../terminal/terminal.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';

export const foreignFlags = {
  'cluster-name': {
    value: 'NAME',
    help: 'name of the cluster, to confirm a run that another installation started; for use without a terminal',
  },
} as const satisfies FlagTable;

/**
 * Shows a run that this installation did not seal, like a new plan, and asks for the cluster's name; `--yes` does not suffice. Null for a run of this
 * installation. Rejects with exit code 3 if the run cannot be continued, and with 4 if the name was not typed.
 */
export async function confirmForeign(
  invocation: Invocation,
  cluster: OpenCluster,
  run: string,
  wanted: 'resume' | 'undo',
): Promise<ConfirmedRun | null> {
  const { env, signal, terminal } = invocation;
  const { kube, clock } = cluster;
  const memory = await memoryInFolder(await stateFolder(env));
  const journalNamespaces = journalNamespacesOf(invocation);
  const ports = releasePorts(cluster, env, terminal);
  const review = await lookThroughForeignRun({ kube, clock, journalNamespaces, memory, ...ports, signal }, run, wanted);
  if (review === null) return null;
  terminal.err(foreignTable(review, terminal));
  const { continuation, digest, problems, how } = review;
  if (problems.length > 0 || continuation === null)
    throw new CliError(
      exit.blocked,
      `Run ${run} cannot be ${how === 'undo' ? 'undone' : 'continued'} here: see above what is in the way. Nothing was changed.`,
    );
  await confirmName(invocation, review);
  return { digest, ...continuation };
}

async function confirmName({ terminal, flags }: Invocation, { run, cluster, how }: ForeignReview): Promise<void> {
  const given = flags.text('cluster-name');
  if (given === undefined && !terminal.canAsk)
    throw usageError(
      `--cluster-name is needed without a terminal: run ${run} was not started here, and --yes is not enough. Give the name of this cluster as \`signalbox clusters\` shows it`,
    );
  const what = how === 'undo' ? 'undo it' : 'continue it';
  const answer = given ?? (await terminal.ask(`Type the cluster's name to ${what}: `));
  if (answer === null || !isNameAsShown(answer, cluster))
    throw new CliError(
      exit.notAsAsked,
      `${answer === null ? '' : `${JSON.stringify(answer)} is not the name of this cluster. `}Nothing was changed.`,
    );
}

const leads = {
  resume: 'Continuing stops that run where it is, and starts a new run here, planned again from its answers.',
  undo: 'Undoing it restores the earlier values that it recorded.',
} as const;

const headings = { resume: 'Still missing, planned now:', undo: 'Its way back, as a dry run shows it now:' } as const;

/** The examination's result, without any text of the run. */
function foreignTable(review: ForeignReview, terminal: Terminal): string {
  const { run, because, claimed, accepted, open, steps, problems, how } = review;
  const { paint } = terminal;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines.map((line) => `  ${visibleLine(line)}`)];
  const lines = steps.flatMap(({ id, title, diff }, index) => [
    headline(terminal, `${String(index + 1).padStart(2)}  `, visibleLine(title), [
      { text: visibleLine(id), colour: 'dim' },
    ]),
    ...diffLines(diff, paint),
  ]);
  return [
    `${foreignBecause(because)} ${leads[how]}`,
    ...list(`Run ${run} says that it has begun:`, claimed),
    ...list(
      'Its answers accept:',
      accepted.map(({ id, reason }) => `${id}: ${reason}`),
    ),
    ...list(
      'Open findings (a run in progress causes some itself):',
      open.map(({ id, message }) => `${id}: ${message}`),
    ),
    ...(lines.length > 0 ? ['', paint('bold', headings[how]), ...lines] : []),
    ...list(
      'In the way:',
      problems.map(({ id, message }) => (id === null ? message : `${id}: ${message}`)),
    ),
    '',
  ].join('\n');
}
