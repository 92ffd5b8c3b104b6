import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeCache } from '#e2e/journey/index.ts';

const program = fileURLToPath(new URL('../../../bin/signalbox', import.meta.url));

export type ConsoleWish = {
  /** Folder of a production build of the pages. */
  build: string;
  /** Path of a kubeconfig. Left out: there is none, and only sandboxes can be chosen. */
  kubeconfig?: string;
  /** A state folder that another console may share, or has left. Left out: a new one, removed at the end. */
  state?: string;
  port?: number;
};

/** The real console in a process of its own, on a production build of its pages. */
export type AConsole = {
  /** `http://NAME.localhost:PORT`, without a slash at its end; the same after a restart. Node does not find it: dial `port` on 127.0.0.1. */
  readonly url: string;
  readonly port: number;
  readonly state: string;
  /** A link that was not used yet. */
  signInLink(): Promise<string>;
  /** SIGTERM, and its end. */
  stop(): Promise<void>;
  /** SIGKILL, and its end. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same state folder. */
  restart(): Promise<void>;
  /** Of the process that runs now. Throws when none does. */
  pid(): number;
  /** Everything that it wrote, to its log and to the terminal. */
  logText(): string;
  /** Ends it for good and removes what was made for it. */
  close(): Promise<void>;
};

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export async function startConsole(wish: ConsoleWish): Promise<AConsole> {
  const folder = wish.state === undefined ? mkdtempSync(join(tmpdir(), 'signalbox-console-')) : null;
  const state = wish.state ?? folder ?? '';
  const env = {
    PATH: process.env.PATH,
    HOME: state,
    XDG_STATE_HOME: state,
    KUBECONFIG: wish.kubeconfig ?? '',
    ...codeCache,
  };
  let said = '';
  let port = wish.port ?? 0;
  let child: ChildProcess | undefined;
  let url = '';
  let links: string[] = [];

  const start = async () => {
    const started = spawn(program, ['console', '--build', wish.build, '--port', `${port}`], {
      env,
      cwd: state,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    running.add(started);
    started.once('close', () => running.delete(started));
    const link = await new Promise<string>((resolve, reject) => {
      let out = '';
      started.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        const found = /^(http:\S+#key=\S+)\n/m.exec(out)?.[1];
        if (found !== undefined) resolve(found);
      });
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      started.once('error', reject);
      started.once('close', (code) =>
        reject(new Error(`the console ended with ${code} before it was ready:\n${said}`)),
      );
    });
    links = [link];
    url = new URL(link).origin;
    port = Number(new URL(link).port);
  };

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('close', resolve));
    ending.kill(signal);
    await ended;
  };

  await start();
  return {
    url,
    port,
    state,
    signInLink: async () => links.pop() ?? linkOf(env),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: start,
    pid: () => {
      if (child?.pid === undefined) throw new Error('The console does not run.');
      return child.pid;
    },
    logText: () => `${said}\n${logOf(state)}`,
    close: async () => {
      await end('SIGTERM');
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As whoever sits at the machine asks for one. */
async function linkOf(env: NodeJS.ProcessEnv): Promise<string> {
  const asking = spawn(program, ['console', 'link'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  asking.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  asking.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise((resolve) => asking.once('close', resolve));
  if (code !== 0) throw new Error(`signalbox console link: exit ${code}\n${err}`);
  return out.trim();
}

function logOf(state: string): string {
  try {
    return readFileSync(join(state, 'signalbox', 'console.log'), 'utf8');
  } catch {
    return '';
  }
}
