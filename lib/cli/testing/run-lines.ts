/**
 * Runs command lines in one process, one after the other: each comes as a line of JSON on stdin (`{args, env}`), and is answered by one
 * (`{code, out, err}`). The environment is the line's, as a process of its own would have it.
 */
import { createInterface } from 'node:readline';
import { runCli } from '../run-cli.ts';

type Line = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

const answer = process.stdout.write.bind(process.stdout);
// Each command line listens for the end of the process, which here goes on.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

for await (const text of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(text) as Line;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const said = { out: '', err: '' };
  process.stdout.write = keepIn(said, 'out');
  process.stderr.write = keepIn(said, 'err');
  const code = await runCli(args);
  answer(`${JSON.stringify({ code, ...said })}\n`);
}

function keepIn(said: Record<'out' | 'err', string>, which: 'out' | 'err'): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    said[which] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    for (const each of rest) if (typeof each === 'function') each();
    return true;
  };
}
