import { counted } from '#lib/base/words.ts';
import { differencesBetween, type Plan, type PlanDifference, stakesOf } from '#lib/plan/index.ts';
import { continueRun, ownIdentity, startRun, stateFolder } from '#lib/run/index.ts';
import { isNameAsShown, visibleLine } from '#lib/text/index.ts';
import { preparePlan, prepareProbe, readFacts, runBefore, whyNotReady } from '#lib/usecases/index.ts';
import { choicesFromFlags, type GivenChoices, withGoal } from '../choices-from-flags.ts';
import type { Command, Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import { choiceFlags, etcdFlags, journalFlags, liveClusterFlags, outputFlags } from '../global-flags.ts';
import { type OpenCluster, withCluster } from '../open-cluster.ts';
import { releasePorts } from '../release/release-ports.ts';
import { carryRun, refusalWithCommand, runFormat } from '../run/carry-run.ts';
import { confirmForeign, foreignFlags } from '../run/confirm-foreign.ts';
import { followHandedOver, handOver } from '../run/hand-over.ts';
import { journalNamespacesOf } from '../run/journal-namespaces.ts';
import { type PlanFile, readPlanFile, refuseFuture } from '../run/plan-file.ts';
import { sameClusterByProgram } from '../run/same-cluster.ts';
import { testNodes } from '../run/test-nodes.ts';
import { findingsTable } from '../show/findings-table.ts';
import { answersOfFile, differencesTable } from '../show/from-plan-file.ts';
import { planTable } from '../show/plan-table.ts';
import { tellIdleFixes } from '../show/tell-idle-fixes.ts';
import { confirm } from '../terminal/confirm.ts';

export const apply: Command = {
  name: 'apply',
  arguments: '[plan.json]',
  summary:
    'Carry out a plan and follow it: a saved plan, or one made now from --goal and your answers. Exit 3 when the plan is not ready, 4 when the run did not end as asked.',
  flags: {
    ...liveClusterFlags({
      help: 'not possible here: a dump can be checked and planned on, not changed',
      refusal: '--from is a dump: it can be checked and planned on, not changed',
    }),
    ...etcdFlags,
    ...choiceFlags,
    ...journalFlags,
    yes: { short: 'y', help: 'do not ask for confirmation; this accepts no finding' },
    preflight: {
      help: 'test the nodes first, as `signalbox preflight` does, so that nothing has to be accepted unmeasured',
    },
    ...foreignFlags,
    ...outputFlags,
  },
  async run(invocation) {
    const { args, env, flags, signal, terminal } = invocation;
    runFormat(flags);
    if (args.length > 1) throw usageError(`apply takes one plan file, not ${args.length}`);
    const file = args[0] === undefined ? null : await readPlanFile(args[0]);
    return withCluster(invocation, 'kept', async (cluster) => {
      if (file !== null) refuseFuture(file, cluster.clock);
      const answers = file?.recorded.choices ?? (await choicesFromFlags(flags));
      const before = await runBefore(
        {
          ...cluster,
          journalNamespaces: journalNamespacesOf(invocation),
          identity: await ownIdentity(await stateFolder(env)),
          signal,
        },
        file ? { planHash: file.recorded.hash } : { answers },
      );
      if ('refused' in before) throw refusalWithCommand(before.refused);
      if (before.kind === 'same') return await carryOn(invocation, cluster, before.run);
      if (flags.has('preflight')) await testFirst(invocation, cluster, answers);
      const plan = await planNow(invocation, cluster, answers);
      if (file !== null) refuseOtherCluster(file, plan);
      const refusal = whyNotReady(plan);
      if (refusal?.kind === 'nothing-to-do') throw refusalWithCommand(refusal);
      if (refusal !== null) {
        terminal.err(
          findingsTable(plan.findings, terminal, 'open', {
            accepted: file === null ? 'accepted' : 'accepted in plan.json',
            on: sameClusterByProgram(flags),
          }),
        );
        return exit.blocked;
      }
      await confirmPlan(invocation, plan, file);
      const handed = await handOver(invocation, cluster, plan);
      if (handed !== null) return await followHandedOver(invocation, cluster, handed);
      const { keepBaseline } = await import('../flows/baseline.ts');
      const flowsAreOf = await keepBaseline(invocation, cluster, plan);
      return await carryRun(invocation, cluster, 'done', (context) => {
        const onEvent: typeof context.onEvent = (event) => {
          flowsAreOf(event.run);
          context.onEvent(event);
        };
        return startRun({ ...context, onEvent }, plan);
      });
    });
  },
};

/** Continues the unfinished run of the same plan. */
async function carryOn(invocation: Invocation, cluster: OpenCluster, run: string): Promise<number> {
  invocation.terminal.err(`Run ${run} of this plan has not ended: it continues.`);
  const confirmed = await confirmForeign(invocation, cluster, run, 'resume');
  if (confirmed === null) await confirm(invocation, { why, question: `Continue run ${run}? Type yes to continue: ` });
  return carryRun(invocation, cluster, 'done', (context) =>
    continueRun(context, run, { how: 'resume', ...(confirmed && { confirmed }) }),
  );
}

/** Tests the nodes and keeps the result, from which checks make findings like from everything else. */
async function testFirst(invocation: Invocation, cluster: OpenCluster, answers: GivenChoices): Promise<void> {
  const use = <T>(work: (cluster: OpenCluster) => Promise<T>) => work(cluster);
  const facts = await readFacts({ ...answers, goal: answers.goal ?? 'enable' }, { use, signal: invocation.signal });
  const prepared = prepareProbe(facts, withGoal(answers, facts), { image: null, nodes: null, nodeSelector: {} });
  if ('because' in prepared) throw new CliError(exit.blocked, prepared.because);
  await testNodes(invocation, cluster, { facts, prepared, afterwards: 'removed' });
}

/** Makes the plan anew from facts, findings, release files and dry runs, even if a file has one. */
async function planNow(invocation: Invocation, cluster: OpenCluster, answers: GivenChoices): Promise<Plan> {
  const { kube, clock } = cluster;
  const { env, flags, signal, terminal } = invocation;
  const { plan, findings } = await preparePlan({
    kube,
    clock,
    answers,
    wasTested: flags.has('preflight') && kube.source === 'sandbox',
    choices: (facts) => withGoal(answers, facts),
    journalNamespaces: journalNamespacesOf(invocation),
    ...releasePorts(cluster, env, terminal),
    signal,
  });
  tellIdleFixes(answers, findings, terminal);
  return plan;
}

function refuseOtherCluster({ recorded }: PlanFile, plan: Plan): void {
  if (plan.clusterUid === recorded.clusterUid) return;
  throw refusalWithCommand({ kind: 'other-cluster' });
}

/** What confirmation is for. */
const why = 'apply changes the cluster';

/**
 * Shows the plan, then asks for the cluster's name; the question has the number of changes and of those that touch traffic. A plan that differs from its file
 * was not reviewed, so `--yes` does not confirm it.
 */
async function confirmPlan(invocation: Invocation, plan: Plan, file: PlanFile | null): Promise<void> {
  const { terminal, flags } = invocation;
  const differences = file === null ? [] : differencesBetween(file.recorded, plan);
  if (differences.length > 0) refuseUnseen(invocation, differences);
  if (terminal.verbosity !== 'quiet' && runFormat(flags) === 'table') {
    if (file !== null) terminal.err(`${answersOfFile(plan.choices, plan.findings, terminal)}\n`);
    terminal.err(planTable(plan, terminal, sameClusterByProgram(flags)));
  }
  if (differences.length > 0) terminal.err(`\n${differencesTable(differences, terminal)}\n`);
  const { changes, traffic, oneWay } = stakesOf(plan);
  const words = [
    `${counted(changes, 'change')} to ${visibleLine(plan.cluster)}`,
    ...(traffic > 0 ? [`${counted(traffic, 'step')} ${traffic === 1 ? 'touches' : 'touch'} traffic`] : []),
    ...(oneWay > 0 ? [`${oneWay} cannot be undone`] : []),
  ].join(', ');
  await confirm(invocation, {
    why,
    question: `${words}. Type the cluster's name to continue: `,
    confirms: (answer) => isNameAsShown(answer, plan.cluster),
  });
}

function refuseUnseen({ terminal, flags }: Invocation, differences: readonly PlanDifference[]): void {
  if (!flags.has('yes') && terminal.canAsk) return;
  throw new CliError(
    exit.blocked,
    `${differencesTable(differences, terminal)}\nNothing was changed. Rebuild plan.json and review it, or confirm this plan on a terminal, without --yes.`,
  );
}
