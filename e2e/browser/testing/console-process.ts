import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningConsole, runningConsole, signalbox } from '../../console/testing/console-process.ts';

export type ConsoleOptions = {
  /** Folder of a production build of the pages. */
  build: string;
  /** Path of a kubeconfig. Absent: none, so that there are only sandboxes. */
  kubeconfig?: string;
  /** A state folder of another console. Absent: a new one, removed at the end. */
  state?: string;
  port?: number;
  /** `as-here`: files of releases come from the folder that SIGNALBOX_CALICO_DIR names here. Absent: none. */
  files?: 'as-here';
};

/** The real console in a process of its own, on a production build of its pages. */
export type AConsole = {
  /** `http://NAME.localhost:PORT`, without a slash at its end; the same after a restart. Node cannot resolve it: connect to `port` on 127.0.0.1. */
  readonly url: string;
  readonly port: number;
  readonly state: string;
  /** A new sign-in link. */
  signInLink(): Promise<string>;
  /** Sends SIGTERM and waits for its end. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits for its end. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same state folder. */
  restart(): Promise<void>;
  /** The running process's id. Throws if none runs. */
  pid(): number;
  /** Everything that it wrote, to its log and to the terminal. */
  logText(): string;
  /** Ends it and removes its folders. */
  close(): Promise<void>;
};

export async function startConsole(options: ConsoleOptions): Promise<AConsole> {
  const folder = options.state === undefined ? mkdtempSync(join(tmpdir(), 'signalbox-console-')) : null;
  const state = options.state ?? folder ?? '';
  const { SIGNALBOX_CALICO_DIR } = process.env;
  const env = { KUBECONFIG: options.kubeconfig ?? '', ...(options.files ? { SIGNALBOX_CALICO_DIR } : {}) };
  const start = (port: number) => runningConsole(options.build, state, ['--port', `${port}`], env);

  const first = await start(options.port ?? 0);
  const { url, port } = first;
  let now: RunningConsole | null = first;
  let links = [`${url}/sign-in#key=${first.key}`];
  let earlierErr = '';

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ending = now;
    now = null;
    ending?.child.kill(signal);
    await ending?.ended;
    earlierErr += ending?.err() ?? '';
  };

  return {
    url,
    port,
    state,
    signInLink: async () => links.pop() ?? linkOf(state, env),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      now = await start(port);
      links = [`${url}/sign-in#key=${now.key}`];
    },
    pid: () => {
      if (now?.child.pid === undefined) throw new Error('The console does not run.');
      return now.child.pid;
    },
    logText: () => `${earlierErr}${now?.err() ?? ''}\n${logOf(state)}`,
    close: async () => {
      await end('SIGTERM');
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Requests a link with the command line. */
async function linkOf(state: string, env: NodeJS.ProcessEnv): Promise<string> {
  const asking = signalbox(['console', 'link'], state, env);
  const code = await asking.ended;
  if (code !== 0) throw new Error(`signalbox console link: exit ${code}\n${asking.err()}`);
  return asking.out().trim();
}

function logOf(state: string): string {
  try {
    return readFileSync(join(state, 'signalbox', 'console.log'), 'utf8');
  } catch {
    return '';
  }
}
