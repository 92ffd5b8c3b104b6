import { execFile } from 'node:child_process';

const longestMs = 10_000;
const mostBytes = 64 * 1024 ** 2;

/** A service's PATH often lacks the folders of programs for root. */
export const usualPath = () => [process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(':');

/** Variables that iptables needs on some hosts: folders of libraries and extensions, and its lock. */
const passedOn = ['LD_LIBRARY_PATH', 'XTABLES_LIBDIR', 'XTABLES_LOCKFILE'] as const;

/**
 * The environment of the host's programs. Nothing else is passed on, because the agent's may hold secrets. Their output is parsed, so it must be
 * English.
 */
export function environmentOfPrograms(path = usualPath()): NodeJS.ProcessEnv {
  const own = passedOn.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(own), PATH: path, LC_ALL: 'C' };
}

/** Runs a listing program of this host. `isWhole` is false if it is missing or fails; another program may then list the same. */
export function askProgram(
  command: string,
  args: readonly string[],
  path = usualPath(),
): Promise<{ readonly listing: string; readonly isWhole: boolean }> {
  return new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { timeout: longestMs, maxBuffer: mostBytes, env: environmentOfPrograms(path) },
      (error, stdout) => resolve({ listing: stdout, isWhole: error === null }),
    );
  });
}
