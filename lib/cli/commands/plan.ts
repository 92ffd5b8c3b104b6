import { writePrivateFile } from '#lib/folders/index.ts';
import { planAsGitops, planAsShell } from '#lib/plan/index.ts';
import { jsonText } from '#lib/text/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { choicesFromFlags, withGoal } from '../choices-from-flags.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { choiceFlags, clusterFlags, etcdFlags, outputIn } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { releasePorts } from '../release/release-ports.ts';
import { sameClusterByProgram } from '../run/same-cluster.ts';
import { planTable } from '../show/plan-table.ts';
import { tellIdleFixes } from '../show/tell-idle-fixes.ts';
import { formatOf, writeData } from '../terminal/output.ts';

export const plan: Command = {
  name: 'plan',
  arguments: '',
  summary:
    'Show every change before it is made, tested by dry runs on the API server. Changes nothing. Exit 3 when blocked.',
  flags: {
    ...clusterFlags,
    ...etcdFlags,
    ...choiceFlags,
    out: { value: 'FILE', help: 'write the plan as JSON, for `signalbox apply FILE`' },
    strict: { help: 'exit 3 unless the verdict is ready' },
    ...outputIn('table (default), json, yaml, shell or gitops'),
  },
  async run({ flags, terminal, env, signal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml', 'shell', 'gitops'] as const);
    const answers = await choicesFromFlags(flags);
    return withCluster({ flags, env }, 'fresh', async (cluster) => {
      const prepared = await preparePlan({
        kube: cluster.kube,
        clock: cluster.clock,
        choices: (facts) => withGoal(answers, facts),
        answers,
        ...releasePorts(cluster, env, terminal),
        signal,
      });
      const path = flags.text('out');
      if (path !== undefined) {
        const open = await writePrivateFile(path, `${jsonText(prepared.plan, 2)}\n`).catch((error: Error) => {
          throw usageError(`--out: ${path} cannot be written: ${error.message}`, error);
        });
        if (open !== null) terminal.err(`${path} keeps its mode, so others may be able to read the plan: ${open}`);
      }
      if (format === 'shell') terminal.out(planAsShell(prepared.plan, sameClusterByProgram(flags)));
      else if (format === 'gitops') terminal.out(planAsGitops(prepared.plan).trimEnd());
      else if (format === 'table') terminal.out(planTable(prepared.plan, terminal, sameClusterByProgram(flags)));
      else writeData(terminal, format, prepared.plan);
      tellIdleFixes(answers, prepared.findings, terminal);
      if (prepared.findings.verdict === 'blocked') return exit.blocked;
      return prepared.findings.verdict === 'needs-answers' && flags.has('strict') ? exit.blocked : exit.fine;
    });
  },
};
