import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PortRefused } from '#lib/base/loopback.ts';
import {
  askConsole,
  type ConsoleLog,
  type ConsoleStart,
  type HistorySettings,
  isBuild,
  newestBuild,
  plainName,
  type StartedConsole,
  startConsole,
  usualHistory,
} from '#lib/console/index.ts';
import { FolderRefused, stateFolder } from '#lib/folders/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import { type Flags, parseKeptFor, parsePort } from '../flags.ts';
import { clickHouseFlag } from '../flows/clickhouse-flag.ts';
import { clusterFlags, withoutOutput } from '../global-flags.ts';
import { keepGoingWithoutReader } from '../terminal/closed-pipe.ts';

/** Cookies are shared between ports: own-name.ts. */
const costOfPlainName = 'any program that serves pages on 127.0.0.1 can then take over your session';

export const consoleCommand: Command = {
  name: 'console',
  arguments: '[link]',
  summary:
    'Start the console for the browser, on this machine only. It runs until you stop it. `console link` prints a new sign-in link for the console that runs.',
  flags: {
    port: { value: 'N', help: 'port on the loopback addresses (default 3000, else the next free one)' },
    host: {
      value: plainName,
      help: `for a browser that cannot open the printed name: ${costOfPlainName}`,
    },
    kubeconfig: clusterFlags.kubeconfig,
    'flow-history': {
      value: 'DURATION|off',
      help: 'how long to keep flows on this machine: 7d (default), 12h; off: not at all',
    },
    'flow-history-size': { value: 'GIB', help: 'the most disk space that the flows of a cluster may take (default 5)' },
    clickhouse: {
      value: 'URL',
      help: 'read flows of the past from ClickHouse, where `signalbox flows collect --clickhouse` writes them, and keep none on this machine; user and password come from the environment, as there',
    },
    build: {
      value: 'DIR',
      help: 'build of the pages (default: SIGNALBOX_BUILD, else the newest that `npm start` made)',
    },
    ...withoutOutput,
  },
  async run(invocation) {
    const [word, ...rest] = invocation.args;
    if (rest.length > 0 || (word !== undefined && word !== 'link'))
      throw usageError(
        `${JSON.stringify(rest[0] ?? word)} is not understood; write \`signalbox console\` or \`signalbox console link\`.`,
      );
    return word === 'link' ? printLink(invocation) : runConsole(invocation);
  },
};

async function printLink({ env, terminal }: Invocation): Promise<number> {
  const reply = await askConsole(await stateFolder(env), { ask: 'link' });
  if (!reply.ok) throw new CliError(exit.notAsAsked, reply.message);
  terminal.out(reply.link);
  terminal.err('The link works once, for 15 minutes.');
  return exit.fine;
}

async function runConsole(invocation: Invocation): Promise<number> {
  const { flags, terminal, signal } = invocation;
  const stopped = untilStopped(signal);
  const started = await start(invocation);
  switch (started.kind) {
    case 'running':
      terminal.err('The console runs already. A new sign-in link to it, good once, for 15 minutes:');
      terminal.out(started.link);
      if (isOfAnotherBuild(started.build, flags))
        terminal.err('Its pages are from another build than this one. To get the new ones, stop it and start again.');
      if (unused(flags, started.link).length > 0)
        terminal.err(
          `It runs without ${unused(flags, started.link).join(' and ')}: to change that, stop it and start again.`,
        );
      return exit.fine;
    case 'silent':
      throw new CliError(exit.notAsAsked, started.message);
    case 'started':
      // A closed terminal ends the console by SIGHUP; the act in flight is finished first, even without a reader.
      keepGoingWithoutReader();
      greet(started, invocation);
      await stopped;
      terminal.err('Stopping. What is in progress may take up to 5 s to finish.');
      await started.stop();
      // Next keeps timers and sockets of its own.
      process.exit(exit.fine);
  }
}

/** A port that cannot be used is a usage error; any other failure after the log is open is an error of Signalbox. */
async function start({ flags, env, terminal }: Invocation): Promise<ConsoleStart> {
  const opened: { log?: ConsoleLog } = {};
  try {
    return await startConsole({
      port: portOf(flags),
      host: hostOf(flags),
      kubeconfig: flags.text('kubeconfig'),
      flowHistory: await flowHistoryOf(flags, env),
      build: () => buildOf(flags, env),
      root,
      env,
      onLog: (log) => {
        opened.log = log;
        watchForFaults(log, terminal.err);
      },
    });
  } catch (error) {
    if (error instanceof FolderRefused) throw usageError(error.message, error);
    if (error instanceof PortRefused) throw usageError(`--port: ${error.message}`, error);
    if (opened.log === undefined) throw error;
    endByFault(opened.log, terminal.err, error);
  }
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

function greet({ link, port, instead, connections, log }: StartedConsole, { flags, terminal }: Invocation): void {
  if (instead === 'next-free') terminal.err(`Port 3000 is taken by another program; the console is on ${port}.`);
  if (connections === 'anybody')
    terminal.err(
      'On this system the console cannot see which user connects. Other users of this machine can connect, but need a session as you do.',
    );
  terminal.err('The console is ready. Open this link to sign in; it works once, for 15 minutes:');
  terminal.out(link());
  terminal.err(
    flags.has('host')
      ? `With --host ${plainName}, ${costOfPlainName}.`
      : `A browser that cannot find this address needs --host ${plainName}; the help says what that costs.`,
  );
  terminal.err(
    `Ctrl-C ends it; a run in progress is left in order and continues at the next start. Log: ${visibleLine(log.path)}`,
  );
}

/** Resolves on SIGINT, SIGTERM or a closed terminal. A second signal has no effect, because ending takes at most six seconds. */
function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    signal.addEventListener('abort', () => done(), { once: true });
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => done());
  });
}

/**
 * An uncaught exception ends the process; its runs continue at the next start, from their journals. An unhandled rejection is only logged: rendering an answer
 * whose client has gone causes some, and no run may end because of that.
 */
function watchForFaults(log: ConsoleLog, say: (text: string) => void): void {
  process.on('uncaughtException', (error) => endByFault(log, say, error));
  process.on('unhandledRejection', (reason) => log.write('rejected unseen', reason));
}

/** Exits explicitly, because the port and Next's timers would keep the process alive. */
function endByFault(log: ConsoleLog, say: (text: string) => void, error: unknown): never {
  log.write('the console ends by a fault', error);
  say(
    `signalbox: the console ended by a fault of its own. Its log says more: ${visibleLine(log.path)}\nStart it again: its runs continue.`,
  );
  process.exit(exit.bug);
}

/** Whether the running console has another build. Only `npm start` passes the build of the present files. */
function isOfAnotherBuild(running: string, flags: Flags): boolean {
  const named = flags.text('build');
  return named !== undefined && resolve(named) !== running;
}

/** Flags without effect, because a console runs already. `--kubeconfig` always counts, because the running console's is not compared. */
function unused(flags: Flags, link: string): string[] {
  const running = new URL(link);
  const isOtherPort = ![null, 0, Number(running.port)].includes(portOf(flags));
  const isOtherHost = ![null, running.hostname].includes(hostOf(flags));
  return [
    ...(isOtherPort ? ['--port'] : []),
    ...(isOtherHost ? ['--host'] : []),
    ...['kubeconfig', 'flow-history', 'flow-history-size', 'clickhouse']
      .filter((flag) => flags.has(flag))
      .map((flag) => `--${flag}`),
  ];
}

function portOf(flags: Flags): number | null {
  const text = flags.text('port');
  return text === undefined ? null : parsePort('port', text);
}

function hostOf(flags: Flags): typeof plainName | null {
  const name = flags.text('host');
  if (name === undefined) return null;
  if (name === plainName) return name;
  throw usageError(`--host: ${JSON.stringify(name)} is not possible; the one choice is ${plainName}.`);
}

async function flowHistoryOf(flags: Flags, env: NodeJS.ProcessEnv): Promise<HistorySettings> {
  const url = flags.text('clickhouse');
  if (url !== undefined) {
    const other = ['flow-history', 'flow-history-size'].find((flag) => flags.has(flag));
    if (other !== undefined)
      throw usageError(`--${other}: the collector decides how long flows are kept; leave it out`);
    return { clickHouse: await clickHouseFlag(url, env) };
  }
  const text = flags.text('flow-history');
  const size = flags.text('flow-history-size');
  const gib = size === undefined ? null : Number(size);
  if (gib !== null && !(gib >= 0.1 && gib <= 10_000))
    throw usageError(`--flow-history-size: ${JSON.stringify(size)} is not a size; write GiB as a number, such as 5`);
  if (text === 'off') return null;
  const keptSeconds = parseKeptFor('flow-history', text ?? '7d', '7d, 12h or off');
  return { keptSeconds, mostBytes: gib === null ? usualHistory.mostBytes : gib * 1024 ** 3 };
}

async function buildOf(flags: Flags, env: NodeJS.ProcessEnv): Promise<string> {
  const named = flags.text('build') ?? (env.SIGNALBOX_BUILD || undefined);
  const build = named === undefined ? await newestBuild(root) : resolve(named);
  if (build === null) throw usageError('The pages of the console are not built yet: `npm start` builds and starts it.');
  if (!(await isBuild(build))) throw usageError(`--build: there is no finished build in ${JSON.stringify(build)}.`);
  return build;
}
