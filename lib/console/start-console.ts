import { delimiter, resolve } from 'node:path';
import { listen } from '#lib/base/loopback.ts';
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
  /** Null: 3000, else the next free one. */
  port: number | null;
  /** Null: this installation's own, which nobody can guess. */
  host: typeof plainName | null;
  kubeconfig: string | undefined;
  /** Of flows: how long and how much; null: none is kept. */
  flowHistory: HistorySettings;
  /** Finds the folder of a finished build of the routes; asked only where no console runs yet. */
  build(): Promise<string>;
  /** The project's folder. */
  root: string;
  env: NodeJS.ProcessEnv;
  /** Called when the log is there, before Next is loaded: Next catches what nobody else does, and goes on. */
  onLog(log: ConsoleLog): void;
};

export type StartedConsole = {
  kind: 'started';
  port: number;
  /** A sign-in link; each call makes one. */
  link(): string;
  instead: 'as-asked' | 'next-free';
  /** Whether other users of this machine are turned away as they connect: lib/peers/who-may-connect.ts. */
  connections: 'ours-only' | 'anybody';
  log: ConsoleLog;
  /** Hands over what is carried and ends, in six seconds at most. */
  stop(): Promise<void>;
};

/** What there is after a start: this console, or the one that runs with the same state folder. */
export type ConsoleStart =
  | StartedConsole
  | { kind: 'running'; link: string; build: string }
  | { kind: 'silent'; message: string };

/** How late an idle session may end, and how much of its last use a crash may forget. */
const sweepMs = 60_000;

/** An act in flight ends within 5 s (architecture.md › Run); what has not by then is left to the next start. */
const handOverMs = 5500;

/** Starts the console, once a state folder (architecture.md › Who may ask). Rejects with a PortRefused where it cannot listen. */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleStart> {
  // Before Next, which wants the process in the project's folder.
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

/** The other console may be starting itself: it has the lock before it can be asked. */
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

/** Paths as the reader meant them. */
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
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timeout);
  }
}
