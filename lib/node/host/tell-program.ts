import { execFile } from 'node:child_process';
import { environmentOfPrograms } from './ask-program.ts';

const longestMs = 30_000;

/** Runs a program of this host with a script on its standard input. Resolves to null, or to the end of a sentence that says why it failed. */
export function tellProgram(name: string, args: readonly string[], script: string): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: longestMs, env: environmentOfPrograms() };
    const child = execFile(name, [...args], options, (error, _, stderr) => {
      if (!error) resolve(null);
      else if (error.code === 'ENOENT') resolve(`there is no program ${name}.`);
      else resolve(`${name} refused (${stderr.trim().split('\n')[0] || error.message}).`);
    });
    // A program that ends before it has read everything is reported by its exit.
    child.stdin?.on('error', () => {});
    child.stdin?.end(script);
  });
}
