import { forgetRun, memoryInFolder, ownIdentity, type ShownRun, stateFolder } from '#lib/run/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { CliError, exit, exitOfList } from '../exit.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { type OpenCluster, withCluster } from '../open-cluster.ts';
import { refusalWithCommand } from '../run/carry-run.ts';
import { journalNamespacesOf } from '../run/journal-namespaces.ts';
import { readableRuns } from '../run/readable-runs.ts';
import { withFlagsOf } from '../run/same-cluster.ts';
import { runInList } from '../show/run-words.ts';
import { unknownLines } from '../show/unknown-lines.ts';
import { confirm } from '../terminal/confirm.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, rowsWidth } from '../terminal/terminal.ts';

export const runs: Command = {
  name: 'runs',
  arguments: '',
  summary: 'List the runs of a cluster, newest first. Exit 5 if you may read only some of them.',
  flags: {
    ...clusterFlags,
    ...journalFlags,
    forget: { value: 'RUN', help: 'delete the journal of a run that has ended; you cannot undo that run afterwards' },
    yes: { short: 'y', help: 'do not ask for confirmation' },
    ...outputFlags,
  },
  async run(invocation) {
    const { flags, terminal } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    return withCluster(invocation, 'kept', async (cluster) => {
      const forget = flags.text('forget');
      if (forget !== undefined) return await forgetOne(invocation, cluster, forget);
      const { runs: list, holder, unknown, refused, areAnyRead, areAllRead } = await readableRuns(invocation, cluster);
      if (refused !== null && !areAnyRead) throw refused;
      for (const line of unknownLines(unknown, terminal)) terminal.err(line);
      if (format !== 'table')
        writeData(terminal, format, {
          apiVersion: 'signalbox.dev/v1',
          kind: 'Runs',
          carrier: holder,
          runs: list,
          ...(unknown.length > 0 ? { unknown } : {}),
        });
      else if (list.length === 0) {
        if (areAllRead) terminal.err('There is no run on this cluster.');
      } else
        terminal.out(
          columns(
            [
              ['RUN', 'GOAL', 'STATE', 'STARTED', 'NOTE'],
              ...list.map((run) => {
                const { cells, about } = runInList(run, holder, terminal);
                const note = visibleLine(withFlagsOf(noteOf(run), flags));
                return [...cells, [about, note].filter((one) => one !== '').join(' ')];
              }),
            ],
            rowsWidth(terminal),
          ),
        );
      return exitOfList(unknown, cluster.kube.source);
    });
  },
};

/** The note of a run: first whether it is foreign, because its other texts are then only claims. */
function noteOf({ state, foreign }: ShownRun): string {
  return [foreign ?? '', 'because' in state ? state.because : ''].filter((one) => one !== '').join(' ');
}

async function forgetOne(invocation: Invocation, { kube, clock }: OpenCluster, run: string): Promise<number> {
  const { terminal, env, signal } = invocation;
  const journalNamespaces = journalNamespacesOf(invocation);
  const folder = await stateFolder(env);
  const [identity, memory] = [await ownIdentity(folder), await memoryInFolder(folder)];
  const result = await forgetRun({ kube, clock, journalNamespaces, identity, memory, signal }, run, () =>
    confirm(invocation, {
      why: 'a run that is forgotten cannot be undone',
      question: `Run ${run} cannot be undone once it is forgotten. Type its name to continue: `,
      confirms: (answer) => answer === run,
    }),
  );
  if ('refused' in result) {
    if (result.refused.kind !== 'not-ended') throw refusalWithCommand(result.refused);
    throw new CliError(
      exit.notAsAsked,
      `Run ${run} has not ended (${result.refused.state}). End it first: \`signalbox stop ${run}\`, or \`signalbox undo ${run}\`.`,
    );
  }
  terminal.err(`Run ${run} is forgotten. What it did to the cluster stays.`);
  if (result.kept !== null) terminal.err(`Namespace ${result.namespace} stays: ${visibleLine(result.kept)}`);
  return exit.fine;
}
