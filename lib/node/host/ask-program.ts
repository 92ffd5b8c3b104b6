import { execFile } from 'node:child_process';

const longestMs = 10_000;
const mostBytes = 64 * 1024 ** 2;

/** A service's PATH often lacks the folders of what only root runs. */
export const usualPath = () => [process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(':');

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
      { timeout: longestMs, maxBuffer: mostBytes, env: { ...process.env, PATH: path } },
      (error, stdout) => resolve({ listing: stdout, isWhole: error === null }),
    );
  });
}
