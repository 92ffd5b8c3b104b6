/**
 * Runs command lines in one process, one after the other. Each is a line of JSON on stdin (`{args, env}`), answered by a line of JSON (`{code, out, err}`). The
 * environment is only that of the line, as in a separate process.
 */
import { createInterface } from 'node:readline';
import { runCli } from '../run-cli.ts';

type Line = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

const answer = process.stdout.write.bind(process.stdout);
// Each command line adds listeners for the end of the process, which does not end here.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

for await (const text of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(text) as Line;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const output = { out: '', err: '' };
  process.stdout.write = keepIn(output, 'out');
  process.stderr.write = keepIn(output, 'err');
  const code = await runCli(args);
  answer(`${JSON.stringify({ code, ...output })}\n`);
}

function keepIn(output: Record<'out' | 'err', string>, which: 'out' | 'err'): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    output[which] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    for (const each of rest) if (typeof each === 'function') each();
    return true;
  };
}
