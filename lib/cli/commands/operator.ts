import { connect, systemClock } from '#lib/kube/index.ts';
import { likes, OperatorRefused, type QuirkId, racesNamed, runOperator } from '#lib/operator/index.ts';
import type { Command } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { clusterFlags, outputFlags } from '../global-flags.ts';

const { context, kubeconfig } = clusterFlags;
const { quiet, verbose, help } = outputFlags;

export const operator: Command = {
  name: 'operator',
  arguments: '',
  summary:
    'Carries out the Installation of a cluster until it is told to stop. Refuses to start where another operator is active.',
  flags: {
    ...(context ? { context } : {}),
    ...(kubeconfig ? { kubeconfig } : {}),
    like: {
      value: likes.join('|'),
      help: 'play a release of the public operator, with its recorded faults (default: signalbox, our own)',
    },
    with: { value: 'RACE,…', help: "take these outcomes of that release's races" },
    without: { value: 'RACE,…', help: 'do not take these' },
    ...(quiet ? { quiet } : {}),
    ...(verbose ? { verbose } : {}),
    ...(help ? { help } : {}),
  },
  async run({ flags, args, terminal, env, signal }) {
    if (args.length > 0) throw usageError(`operator takes no further words; ${JSON.stringify(args[0])} was given`);
    const given = flags.text('like') ?? 'signalbox';
    const like = likes.find((known) => known === given);
    if (!like) throw usageError(`--like: one of ${likes.join(', ')} is needed, ${JSON.stringify(given)} was given`);
    const races = { with: racesOf(flags, 'with'), without: racesOf(flags, 'without') };
    const kube = await connect({ context: flags.text('context'), kubeconfig: flags.text('kubeconfig'), env });
    try {
      const log = (line: string) => {
        if (terminal.verbosity !== 'quiet') terminal.err(`${new Date().toISOString()} ${line}`);
      };
      await runOperator({ kube, like, races, clock: systemClock, signal, env, log });
      return exit.fine;
    } catch (error) {
      if (signal.aborted) return exit.fine;
      if (error instanceof OperatorRefused) throw new CliError(exit.blocked, error.message);
      throw error;
    } finally {
      await kube.close();
    }
  },
};

function racesOf(flags: Flags, name: 'with' | 'without'): QuirkId[] {
  const named = racesNamed(flags.text(name) ?? '');
  if ('unknown' in named)
    throw usageError(`--${name}: ${JSON.stringify(named.unknown)} is not a race that can be decided`);
  return named.ids;
}
