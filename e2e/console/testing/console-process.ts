import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeCache } from '#e2e/journey/index.ts';

const root = join(import.meta.dirname, '../../..');

/** The real program with its own state folder. `out` and `err`: its output so far. */
export type ConsoleProcess = {
  child: ChildProcess;
  out(): string;
  err(): string;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
};

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function signalbox(args: readonly string[], state: string, env: NodeJS.ProcessEnv = {}): ConsoleProcess {
  const child = spawn(join(root, 'bin', 'signalbox'), args, {
    cwd: state,
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOME: state,
      XDG_STATE_HOME: state,
      KUBECONFIG: '',
      ...codeCache,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const written = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.err += text;
  });
  return {
    child,
    out: () => written.out,
    err: () => written.err,
    ended: new Promise((resolve) => {
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve(code ?? signal ?? 1);
      });
    }),
  };
}

/** `host`: `name:port` of the link, the one Host that it answers to. `url`: `http://HOST`. It listens on 127.0.0.1 and [::1]. */
export type RunningConsole = ConsoleProcess & { port: number; host: string; url: string; key: string };

const patienceMs = 300_000;

/** Resolves once it has printed its link. Uses a free port unless `args` name one. */
export async function runningConsole(
  build: string,
  state: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningConsole> {
  const started = signalbox(['console', '--build', build, ...anyPort(args), ...args], state, env);
  const until = performance.now() + patienceMs;
  for (;;) {
    if (performance.now() > until) started.child.kill('SIGKILL');
    const link = /^http:\/\/([\w.-]+:(\d+))\/sign-in#key=(\S+)$/m.exec(started.out());
    if (link) {
      const [, host = '', port = '', key = ''] = link;
      return { ...started, port: Number(port), host, url: `http://${host}`, key };
    }
    const end = await Promise.race([
      started.ended,
      new Promise<'not yet'>((resolve) => setTimeout(resolve, 20, 'not yet')),
    ]);
    if (end !== 'not yet') throw new Error(`The console ended (${end}):\n${started.out()}${started.err()}`);
  }
}

const anyPort = (args: readonly string[]) => (args.includes('--port') ? [] : ['--port', '0']);
