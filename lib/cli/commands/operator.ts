import {
  emulatedNamed,
  emulatedOperators,
  OperatorRefused,
  type RaceId,
  racesNamed,
  raceTable,
  runOperator,
} from '#lib/operator/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { clusterFlags, withoutOutput } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';

export const operator: Command = {
  name: 'operator',
  arguments: '',
  summary:
    "Run a stand-in for Calico's operator, until you stop it. It refuses to start where another operator is active.",
  flags: {
    context: clusterFlags.context,
    kubeconfig: clusterFlags.kubeconfig,
    timeout: clusterFlags.timeout,
    like: {
      value: 'VERSION',
      help: `behave as the public operator of this release, with its faults: ${emulatedOperators.join(', ')} (default ${emulatedOperators[0]}; signalbox, from version 0.1.0, means the default)`,
    },
    with: { value: 'RACE,…', help: 'known races of --like that go wrong' },
    without: {
      value: 'RACE,…',
      help: `known races of --like that go right: ${raceTable.map((row) => row.id).join(', ')}`,
    },
    ...withoutOutput,
  },
  async run({ flags, terminal, env, signal }) {
    const name = flags.text('like');
    const like = emulatedNamed(name);
    if (!like) throw usageError(`--like: ${JSON.stringify(name)} is not one of ${emulatedOperators.join(', ')}`);
    try {
      return await untilInterrupted(signal, (stop) =>
        withCluster({ flags, env }, 'fresh', async ({ kube, clock }) => {
          await runOperator({
            kube,
            clock,
            like,
            races: { with: races('with', flags), without: races('without', flags) },
            env,
            signal: stop,
            log: (line) => terminal.err(visibleLine(line)),
          });
          return exit.fine;
        }),
      );
    } catch (error) {
      if (error instanceof OperatorRefused) throw new CliError(exit.notAsAsked, error.message, error);
      throw error;
    }
  },
};

function races(flag: 'with' | 'without', flags: Flags): RaceId[] {
  const named = racesNamed(flags.text(flag) ?? '');
  if ('unknown' in named)
    throw usageError(
      `--${flag}: ${JSON.stringify(named.unknown)} is not one of ${raceTable.map(({ id }) => id).join(', ')}`,
    );
  return named.ids;
}
