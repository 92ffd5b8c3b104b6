import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A program of the plane. `exit` is null while it runs. */
export type Running = {
  readonly name: string;
  readonly pid: number;
  readonly exit: Exit | null;
  readonly exited: Promise<Exit>;
  /** Sends SIGTERM, and SIGKILL if it still runs after the grace time. */
  stop(graceMs: number): Promise<Exit>;
  killNow(): void;
};

/**
 * Starts a program that writes its output to `log` and ends with this process, on Linux even when this process is killed
 * with SIGKILL (`setpriv --pdeathsig`): an API server that outlives its test would keep its ports and memory.
 */
export function startProcess(options: {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
}): Promise<Running> {
  const output = openSync(options.log, 'a');
  const [command = options.command, ...args] = [...deathHarness(), options.command, ...options.args];
  const child = spawn(command, args, { stdio: ['ignore', output, output], env: options.env ?? process.env });
  closeSync(output);

  let exit: Exit | null = null;
  const exited = new Promise<Exit>((done) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      done(exit);
    });
  });
  return new Promise((started, failed) => {
    child.once('error', (cause) =>
      failed(new Error(`${options.name} could not be started: ${cause.message}`, { cause })),
    );
    child.once('spawn', () =>
      started({
        name: options.name,
        pid: child.pid ?? 0,
        exited,
        get exit() {
          return exit;
        },
        killNow: () => void child.kill('SIGKILL'),
        async stop(graceMs) {
          if (exit) return exit;
          child.kill('SIGTERM');
          const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
          return exited.finally(() => clearTimeout(late));
        },
      }),
    );
  });
}

let harness: readonly string[] | undefined;

function deathHarness(): readonly string[] {
  harness ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0
      ? ['setpriv', '--pdeathsig', 'KILL']
      : [];
  return harness;
}

export function describeExit({ code, signal }: Exit): string {
  return signal ? `killed by ${signal}` : `exit ${code}`;
}
