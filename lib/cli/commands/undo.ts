import { counted } from '#lib/base/words.ts';
import { planUndo, type UndoStep } from '#lib/plan/index.ts';
import { continueRun, forwardProgress, type Journal } from '#lib/run/index.ts';
import { type FlagsByProgram, isNameAsShown, visibleLine } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { exit } from '../exit.ts';
import { changingFlags, etcdFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { carryRun } from '../run/carry-run.ts';
import { confirmForeign, foreignFlags } from '../run/confirm-foreign.ts';
import { holderToAsk } from '../run/holder-to-ask.ts';
import { pickRun } from '../run/pick-run.ts';
import { readShown } from '../run/read-shown.ts';
import { sameClusterByProgram, withFlagsOf } from '../run/same-cluster.ts';
import { commandLines } from '../show/command-lines.ts';
import { confirm } from '../terminal/confirm.ts';
import { headline, type Terminal } from '../terminal/terminal.ts';

export const undo: Command = {
  name: 'undo',
  arguments: '[RUN]',
  summary: 'Undo a run, in an order that never leaves a node without Services. Exit 0 when everything was undone.',
  flags: {
    ...changingFlags,
    ...etcdFlags,
    ...journalFlags,
    yes: { short: 'y', help: 'do not ask for confirmation' },
    ...foreignFlags,
    ...outputFlags,
  },
  async run(invocation) {
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'newest');
      const { journal, plan } = await readShown(invocation, cluster, run);
      const ask = await holderToAsk(invocation, cluster, 'undo', journal);
      // The process that carries the run undoes it, so nothing is confirmed here.
      const confirmed = ask !== null ? null : await confirmForeign(invocation, cluster, run, 'undo');
      if (confirmed === null) {
        const steps = planUndo(plan, ...progressOf(journal));
        if (!invocation.flags.has('quiet'))
          invocation.terminal.err(undoTable(steps, invocation.terminal, sameClusterByProgram(invocation.flags)));
        await confirmUndo(invocation, { run, steps, cluster: cluster.kube.name });
      }
      if (ask !== null) {
        await ask();
        invocation.terminal.err(
          withFlagsOf(
            `The process that carries out run ${run} undoes it. \`signalbox status --watch\` follows it.`,
            invocation.flags,
          ),
        );
        return exit.fine;
      }
      return await carryRun(invocation, cluster, 'undone', (context) =>
        continueRun(context, run, { how: 'undo', ...(confirmed && { confirmed }) }),
      );
    });
  },
};

function progressOf(journal: Journal): [number[], number | null] {
  const { finished, begun } = forwardProgress(journal);
  return [finished, begun];
}

/** Asks for the cluster's name, because an undo changes the cluster; the question says how much. */
async function confirmUndo(
  invocation: Invocation,
  { run, steps, cluster }: { run: string; steps: readonly UndoStep[]; cluster: string },
): Promise<void> {
  await confirm(invocation, {
    why: 'undo changes the cluster',
    question: `${undoWords(run, steps)} Type the cluster's name, ${visibleLine(cluster)}, to continue: `,
    confirms: (answer) => isNameAsShown(answer, cluster),
  });
}

/** `Undoing run r takes 9 steps, 2 of which touch traffic.` */
export function undoWords(run: string, steps: readonly Pick<UndoStep, 'effect'>[]): string {
  if (steps.length === 0) return `Run ${run} has nothing to undo.`;
  const traffic = steps.filter(({ effect }) => effect === 'traffic').length;
  const which =
    steps.length === 1
      ? `which ${traffic === 1 ? 'touches' : 'does not touch'} traffic`
      : `${traffic === 0 ? 'none' : traffic} of which ${traffic < 2 ? 'touches' : 'touch'} traffic`;
  return `Undoing run ${run} takes ${counted(steps.length, 'step')}, ${which}.`;
}

/** The undo as an ordered list, each step with its command. */
function undoTable(steps: readonly UndoStep[], terminal: Terminal, on: FlagsByProgram): string {
  return steps
    .flatMap((step, index) => [
      headline(terminal, `${String(index + 1).padStart(2)}  `, visibleLine(step.title), [
        { text: step.id, colour: 'dim' },
      ]),
      ...(step.command
        ? [
            `    ${terminal.paint('blue', commandLines(step.command, on, '`report RUN -o json` has them whole').join('\n      '))}`,
          ]
        : []),
    ])
    .join('\n');
}
