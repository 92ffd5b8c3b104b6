import { delimiter, resolve } from 'node:path';
import { listen } from '#lib/base/loopback.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { peerOwners, whoMayConnect } from '#lib/peers/index.ts';
import { memoryInFolder, ownIdentity } from '#lib/run/index.ts';
import { askConsole } from './ask-console.ts';
import { makeHost } from './host/index.ts';
import { provideHost } from './host.ts';
import { nextHandler } from './http/next-handler.ts';
import { lockInstance } from './instance/instance-lock.ts';
import { removeSocket } from './instance/instance-path.ts';
import { type Answers, answerIn } from './instance/instance-server.ts';
import { type ConsoleLog, openLog } from './log/console-log.ts';
import { logConsole } from './log/log-console.ts';
import { type Behind, consoleServer } from './server.ts';
import { ownName, type plainName } from './sign-in/own-name.ts';
import { openSessions, type Sessions } from './sign-in/sessions.ts';
import type { HistorySettings } from './streams/index.ts';

export type ConsoleOptions = {
  /** Null: 3000, or the next free port. */
  port: number | null;
  /** Null: this installation's own name, which cannot be guessed. */
  host: typeof plainName | null;
  kubeconfig: string | undefined;
  /** How long and how much of flows is kept; null: none. */
  flowHistory: HistorySettings;
  /** Returns the folder of a finished build of the routes. Called only if no console runs yet. */
  build(): Promise<string>;
  /** The project's folder. */
  root: string;
  env: NodeJS.ProcessEnv;
  /** Called once the log is open and before Next is loaded, which catches unhandled errors and continues. */
  onLog(log: ConsoleLog): void;
};

export type StartedConsole = {
  kind: 'started';
  port: number;
  /** Makes a new sign-in link. */
  link(): string;
  instead: 'as-asked' | 'next-free';
  /** Whether connections of this machine's other users are refused: lib/peers/who-may-connect.ts. */
  connections: 'ours-only' | 'anybody';
  log: ConsoleLog;
  /** Leaves its runs to the next start and ends, in at most six seconds. */
  stop(): Promise<void>;
};

/** The result of a start: this console, or the one that already runs with the same state folder. */
export type ConsoleStart =
  | StartedConsole
  | { kind: 'running'; link: string; build: string }
  | { kind: 'silent'; message: string };

/** Interval of `sweep`: how late an idle session may end, and how much of its last use a crash may lose. */
const sweepMs = 60_000;

/** An act in flight ends within 5 s (architecture.md › Run); after this time it is left to the next start. */
const handOverMs = 5500;

/** Starts the console, one for each state folder (architecture.md › Who may ask). Rejects with a PortRefused if it cannot listen. */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleStart> {
  // Before Next is loaded, which changes the working directory.
  const meant = fromHere(options);
  const folder = await stateFolder(options.env);
  const lock = lockInstance(folder);
  if (!lock) return runningConsole(folder);
  const build = await options.build();
  const log = openLog(folder);
  logConsole(log);
  options.onLog(log);

  const behind = Promise.withResolvers<Behind>();
  const peers = await whoMayConnect(peerOwners(), process.geteuid?.() ?? 0);
  if (!peers.inForce)
    log.write(
      'connections are not tied to a user here: other users of this machine can connect, and need a session to do anything',
    );
  const door = consoleServer(behind.promise, peers.mayConnect, log.write);
  const { port, instead } = await listen(door.servers, options.port);
  const name = options.host ?? (await ownName(folder));
  const host = `${name}:${port}`;
  const sessions = await openSessions({ folder, port, log: log.write });
  const link = () => `http://${host}/sign-in#key=${sessions.newKey()}`;

  const end = new AbortController();
  const [next, parts] = await Promise.all([
    nextHandler(options.root, build, name, port),
    makeHost({
      ...meant,
      stateFolder: folder,
      identity: await ownIdentity(folder),
      memory: await memoryInFolder(folder),
      flowHistory: options.flowHistory,
      log: log.write,
      signal: end.signal,
    }),
  ]);
  provideHost({ ...parts.host, ...ofHost(sessions), logPath: log.path });
  const sweeping = setInterval(() => void sessions.sweep(), sweepMs);
  behind.resolve({ sessions, next, host });

  const since = new Date().toISOString();
  const answers: Answers = {
    link: async () => ({ ok: true, link: link(), build }),
    status: async () => ({ ok: true, pid: process.pid, port, since, log: log.path }),
    apply: async ({ plan, cluster }) => {
      const answer = await parts.carryPlan(plan, cluster);
      return answer.ok ? { ok: true, ...answer.value } : answer;
    },
    flows: ({ cluster, query, uid = null }) => parts.flowsFor(cluster, query, uid),
    traffic: ({ cluster, run, uid }) => parts.trafficFor(cluster, run, uid),
  };
  const socket = await answerIn(folder, answers, parts.serveSandbox);
  log.write(`console started: process ${process.pid}, port ${port}, build ${build}`);
  parts.recover().catch((error: unknown) => log.write('runs were not recovered', error));

  return {
    kind: 'started',
    port,
    link,
    instead,
    connections: peers.inForce ? 'ours-only' : 'anybody',
    log,
    stop: async () => {
      log.write('console is ending');
      clearInterval(sweeping);
      socket.close();
      for (const server of Object.values(door.servers)) server.close();
      end.abort(new Error('The console is ending.'));
      const handedOver = await withinMs(handOverMs, parts.close());
      if (handedOver !== 'done') log.write(`the runs in progress were not handed over: ${handedOver}`);
      await sessions.sweep();
      door.endStreams();
      for (const server of Object.values(door.servers)) server.closeAllConnections();
      await removeSocket(folder);
      lock.release();
      log.write('console ended');
    },
  };
}

function ofHost({ session, sessions, endSession }: Sessions) {
  return { session, sessions, endSession };
}

/** The console that holds the lock. It may be starting and not answer yet, so this waits for it. */
async function runningConsole(folder: string): Promise<ConsoleStart> {
  const until = performance.now() + 5000;
  for (;;) {
    const reply = await askConsole(folder, { ask: 'link' });
    if (reply.ok) return { kind: 'running', link: reply.link, build: reply.build };
    if (performance.now() > until)
      return {
        kind: 'silent',
        message: `A console that was started with ${folder} runs, but cannot be asked: ${reply.message}`,
      };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Makes paths absolute, from the user's working directory. */
function fromHere({ env, kubeconfig }: ConsoleOptions): { env: NodeJS.ProcessEnv; kubeconfig: string | undefined } {
  const listed = env.KUBECONFIG?.split(delimiter).map((path) => (path === '' ? path : resolve(path)));
  return {
    env: listed ? { ...env, KUBECONFIG: listed.join(delimiter) } : env,
    kubeconfig: kubeconfig === undefined ? undefined : resolve(kubeconfig),
  };
}

async function withinMs(ms: number, work: Promise<void>): Promise<string> {
  const timer = Promise.withResolvers<string>();
  const timeout = setTimeout(() => timer.resolve(`it took longer than ${ms} ms`), ms);
  try {
    return await Promise.race([work.then(() => 'done'), timer.promise]);
  } catch (error) {
    return messageOf(error);
  } finally {
    clearTimeout(timeout);
  }
}
