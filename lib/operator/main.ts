/**
 * The operator as a process: `node lib/operator/main.ts --kubeconfig F [--context C] [--like V] [--with id,…] [--without id,…]`.
 * Exit 0: told to stop. 1: refused to start, or lost the cluster. 2: the command line is wrong.
 */
import { parseArgs } from 'node:util';
import { connect, isKubeError, type LiveKube, systemClock } from '#lib/kube/index.ts';
import { type QuirkId, quirkTable, racesNamed } from './quirks.ts';
import { type Like, likes } from './releases.ts';
import { OperatorRefused, runOperator } from './run.ts';

const operatorUsage = `signalbox operator [--like ${likes.join('|')}] [--kubeconfig FILE] [--context NAME] [--with RACE,…] [--without RACE,…]

Carries out the Installation of a cluster. With --like it plays a release of the public operator, with its recorded faults.
Races that can be decided: ${quirkTable
  .filter((row) => 'race' in row)
  .map((row) => row.id)
  .join(', ')}
`;

type Settings = { like: Like; kubeconfig?: string; context?: string; races: { with: QuirkId[]; without: QuirkId[] } };

class WrongUse extends Error {}

function read(args: readonly string[]): Settings | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      like: { type: 'string', default: 'signalbox' },
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      with: { type: 'string' },
      without: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const like = likes.find((known) => known === values.like);
  if (!like) throw new WrongUse(`--like: one of ${likes.join(', ')} is needed, "${values.like}" was given.`);
  return {
    like,
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    ...(values.context === undefined ? {} : { context: values.context }),
    races: { with: racesIn('--with', values.with), without: racesIn('--without', values.without) },
  };
}

function racesIn(flag: string, given: string | undefined): QuirkId[] {
  const named = racesNamed(given ?? '');
  if ('unknown' in named) throw new WrongUse(`${flag}: "${named.unknown}" is not a race; see --help.`);
  return named.ids;
}

/** Runs until SIGTERM or SIGINT. Answers the exit code. */
async function main(args: readonly string[]): Promise<number> {
  let settings: Settings | 'help';
  try {
    settings = read(args);
  } catch (error) {
    process.stderr.write(`signalbox operator: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  if (settings === 'help') {
    process.stdout.write(operatorUsage);
    return 0;
  }
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error('told to stop'));
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);

  let kube: LiveKube | null = null;
  try {
    const { like, races, ...where } = settings;
    kube = await connect(where);
    await runOperator({
      kube,
      like,
      races,
      clock: systemClock,
      signal: stop.signal,
      env: process.env,
      log: (line) => process.stderr.write(`${new Date().toISOString()} ${line}\n`),
    });
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    const known = error instanceof OperatorRefused || isKubeError(error);
    process.stderr.write(
      `signalbox operator: ${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return 1;
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
    await kube?.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
