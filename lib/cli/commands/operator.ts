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
import { clusterFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';

export const operator: Command = {
  name: 'operator',
  arguments: '',
  summary:
    "Runs a stand-in for Calico's operator until it is stopped. It refuses to start where another one is active.",
  flags: {
    context: clusterFlags.context,
    kubeconfig: clusterFlags.kubeconfig,
    timeout: clusterFlags.timeout,
    like: {
      value: 'VERSION',
      help: `behave as the public operator of a release did, faults included: ${emulatedOperators.join(', ')} (default ${emulatedOperators[0]}; signalbox, of version 0.1.0, means the default)`,
    },
    with: { value: 'RACE,…', help: 'races of --like that are lost' },
    without: {
      value: 'RACE,…',
      help: `races of --like that are won: ${raceTable.map((row) => row.id).join(', ')}`,
    },
    ...outputFlags,
  },
  async run({ flags, terminal, env, signal }) {
    const asked = flags.text('like');
    const like = emulatedNamed(asked);
    if (!like) throw usageError(`--like: ${JSON.stringify(asked)} is not one of ${emulatedOperators.join(', ')}`);
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
  if ('unknown' in named) throw usageError(`--${flag}: ${JSON.stringify(named.unknown)} is not a race`);
  return named.ids;
}
