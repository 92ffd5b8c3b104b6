import { type Plan, parsePlan } from '#lib/plan/index.ts';
import { continueRun, listRuns, preparePlan, startRun } from '#lib/run/index.ts';
import { carryRun } from '../carry-run.ts';
import { choicesFromFlags, withGoal } from '../choices-from-flags.ts';
import type { Command, Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import { choiceFlags, clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { type OpenCluster, openCluster } from '../open-cluster.ts';
import { readDataFile } from '../read-file.ts';
import { findingsTable } from '../show/findings-table.ts';
import { planTable } from '../show/plan-table.ts';
import { printable } from '../terminal.ts';

/** Findings and dry runs older than this are repeated before a start (operations.md › The journal and recovery). */
const freshMs = 5 * 60_000;

export const apply: Command = {
  name: 'apply',
  arguments: '[plan.json]',
  summary:
    'Carries a plan out and follows it: a saved one, or one made now from --goal and answers. Exit 3 unless ready, 4 when the run does not end as asked.',
  flags: {
    ...clusterFlags,
    ...choiceFlags,
    ...journalFlags,
    yes: { short: 'y', help: 'do not ask for confirmation; acknowledges nothing' },
    ...outputFlags,
  },
  async run(invocation) {
    const { args, flags, env, terminal } = invocation;
    if (args.length > 1) throw usageError(`apply takes one plan file, not ${args.length}`);
    if (flags.list('from').length > 0)
      throw usageError('--from is a dump: it can be checked and planned on, not changed');
    const saved = args[0] === undefined ? null : parsePlan(await readDataFile('plan.json', args[0]));
    const cluster = await openCluster(flags, env, 'kept');
    try {
      const plan = await freshPlan(invocation, cluster, saved);
      const unfinished = await runOfSamePlan(invocation, cluster, plan);
      if (unfinished !== null) {
        terminal.err(`Run ${unfinished} of this plan has not ended: it is carried on.`);
        return await carryRun(invocation, cluster, 'done', (context) =>
          continueRun(context, unfinished, { how: 'resume', acknowledge: plan.choices.acknowledge }),
        );
      }
      if (plan.findings.verdict !== 'ready') {
        terminal.err(findingsTable(plan.findings, terminal, 'open'));
        return exit.blocked;
      }
      if (!plan.operations.some((operation) => operation.status === 'needed' && operation.targets.length > 0)) {
        terminal.err('Nothing is missing: the cluster is as this plan wants it.');
        return exit.fine;
      }
      await confirm(invocation, plan);
      return await carryRun(invocation, cluster, 'done', (context) =>
        startRun(context, plan, plan.choices.acknowledge),
      );
    } finally {
      await cluster.close();
    }
  },
};

/** The plan as it would be made now. A saved one that no longer fits the cluster is refused: what would be done is no longer what was reviewed. */
async function freshPlan({ flags, signal }: Invocation, cluster: OpenCluster, saved: Plan | null): Promise<Plan> {
  const { kube, clock } = cluster;
  if (saved && clock.now() - Date.parse(saved.madeAt) < freshMs) return saved;
  const given = saved?.choices ?? (await choicesFromFlags(flags));
  const { plan } = await preparePlan({ kube, clock, given, choices: (facts) => withGoal(given, facts), signal });
  if (saved && plan.clusterUid !== saved.clusterUid)
    throw usageError('plan.json was made for another cluster (the UID of kube-system differs). Make it again here.');
  if (
    saved &&
    plan.hash !== saved.hash &&
    (await cluster.kube.get({
      resource: (await import('#lib/spec/index.ts')).resources.namespaces,
      name: 'kube-system',
    }))
  ) {
    const running = (await listRuns(kube, flags.text('journal-namespace') ?? 'kube-system')).some(
      (run) => run.planHash === saved.hash,
    );
    if (running) return saved;
    throw new CliError(
      exit.blocked,
      'The cluster has changed since plan.json was made: the plan would be another one now. Make it again and review it.',
    );
  }
  return plan;
}

async function runOfSamePlan({ flags }: Invocation, { kube }: OpenCluster, plan: Plan): Promise<string | null> {
  const runs = await listRuns(kube, flags.text('journal-namespace') ?? 'kube-system');
  return (
    runs.find((run) => run.planHash === plan.hash && (run.state.kind === 'running' || run.state.kind === 'paused'))
      ?.run ?? null
  );
}

/** Shows everything, then asks; where something cannot be undone it asks for the cluster's name. */
async function confirm({ terminal, flags }: Invocation, plan: Plan): Promise<void> {
  if (terminal.verbosity !== 'quiet' && flags.text('output') !== 'json') terminal.err(planTable(plan, terminal));
  if (flags.has('yes')) return;
  if (!terminal.canAsk) throw usageError('--yes is needed where nobody can be asked: apply changes the cluster');
  const oneWay = plan.operations.some((operation) => operation.status === 'needed' && !operation.reversible);
  const expected = oneWay ? plan.cluster : 'yes';
  const answer = await terminal.ask(
    oneWay
      ? `Part of this cannot be undone. Type the cluster's name, ${printable(plan.cluster)}, to go on: `
      : 'Carry this plan out? Type yes to go on: ',
  );
  if (answer !== expected) throw new CliError(exit.notAsAsked, 'Nothing was changed.');
}
