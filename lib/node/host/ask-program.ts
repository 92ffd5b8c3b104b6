import { execFile } from 'node:child_process';

const longestMs = 10_000;
const mostBytes = 64 * 1024 ** 2;

/** A service's PATH often lacks the folders of what only root runs. */
export const usualPath = () => [process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(':');

/** Where libraries and extensions of iptables lie on some hosts, and its lock. */
const passedOn = ['LD_LIBRARY_PATH', 'XTABLES_LIBDIR', 'XTABLES_LOCKFILE'] as const;

/** All that a program of this host gets of the agent's environment, which may hold what is nobody else's. Its words are read, and so are English. */
export function environmentOfPrograms(path = usualPath()): NodeJS.ProcessEnv {
  const own = passedOn.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(own), PATH: path, LC_ALL: 'C' };
}

/** What a program of this host lists. Whole where it answered; one that is not there or refuses tells nothing: another one of them may tell the same. */
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
