import { counted, inList } from '#lib/base/words.ts';
import { answerName, ChoiceError, commandsThatRead, lackingInDump } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { memoryInFolder, stateFolder } from '#lib/run/index.ts';
import { assess, leftInWords, leftProbe, withEarlierRuns } from '#lib/usecases/index.ts';
import { choicesFromFlags, withGoal } from '../choices-from-flags.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { choiceFlags, clusterFlags, etcdFlags, outputIn } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { releasePorts } from '../release/release-ports.ts';
import { sameClusterByProgram, withFlagsOf } from '../run/same-cluster.ts';
import { connectionWarnings } from '../show/connection-warnings.ts';
import { findingsAsJunit } from '../show/findings-junit.ts';
import { findingsTable } from '../show/findings-table.ts';
import { tellIdleFixes } from '../show/tell-idle-fixes.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

export const check: Command = {
  name: 'check',
  arguments: '',
  summary:
    'List what stands in the way of a goal, worst first. Changes nothing. Exit 3 when blocked; with --strict, unless ready.',
  flags: {
    ...clusterFlags,
    ...etcdFlags,
    ...choiceFlags,
    strict: { help: 'exit 3 unless the verdict is ready' },
    all: { help: 'list checks that passed and checks that do not apply, too' },
    ...outputIn('table (default), json, yaml or junit'),
  },
  async run({ flags, terminal, env, signal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml', 'junit'] as const);
    const answers = await choicesFromFlags(flags);
    return withCluster({ flags, env }, 'fresh', async (cluster) => {
      // Downloads nothing unasked: only a sandbox's own files, or those of a named source.
      const isNamed = answers.source !== undefined || answers.customResources !== undefined;
      const isAtHand = isNamed || (answers.goal === 'upgrade' && cluster.kube.source === 'sandbox');
      const releases = isAtHand ? releasePorts(cluster, env, terminal).releases : undefined;
      const { facts, choices, problems, ...assessed } = await assess({
        use: (work) => work(cluster),
        clock: cluster.clock,
        choices: (facts) => withGoal(answers, facts),
        answers,
        releases,
        signal,
      });
      if (problems.length > 0) throw new ChoiceError(problems);
      const memory = await memoryInFolder(await stateFolder(env));
      const findings = await withEarlierRuns(assessed.findings, { facts, choices }, memory);
      if (format === 'table')
        terminal.out(
          [
            ...connectionWarnings(findings.warnings, terminal),
            findingsTable(findings, terminal, flags.has('all') ? 'all' : 'open', { on: sameClusterByProgram(flags) }),
            ...wholeDump(facts, terminal),
          ].join('\n'),
        );
      else if (format === 'junit') terminal.out(findingsAsJunit(findings));
      else writeData(terminal, format, findings);
      tellIdleFixes(answers, findings, terminal);
      const left = cluster.kube.source === 'live' ? await leftProbe({ ...cluster, signal }) : null;
      if (left !== null) terminal.err(wrap(withFlagsOf(leftInWords(left), flags), terminal.columns));
      if (findings.verdict === 'blocked') return exit.blocked;
      return findings.verdict === 'needs-answers' && flags.has('strict') ? exit.blocked : exit.fine;
    });
  },
};

/** One command that dumps everything the findings lack, besides the remedy of each. */
function wholeDump(facts: Facts, { columns, paint }: Terminal): string[] {
  const { kinds, answers } = lackingInDump(facts);
  if (kinds.length + answers.length === 0) return [];
  const those = [...(kinds.length > 0 ? [counted(kinds.length, 'kind')] : []), ...answers.map(answerName)];
  return [
    '',
    wrap(
      `The dump lacks ${inList(those)} that checks read. \`signalbox dump\` writes all of them but Secrets; or add them:`,
      columns,
    ),
    ...commandsThatRead([...kinds, ...answers], facts.resources.helmReleases).map((line) => `  ${paint('blue', line)}`),
  ];
}
