import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** As bin/signalbox starts Node: what was young garbage a moment ago is memory too, and V8 would let 100 MB of it stand. */
export const cliFlags = ['--max-semi-space-size=8'];

export type Measured = { readonly ms: number; readonly peakMiB: number | null; readonly stdout: string };

/** Runs a program to its end; `alsoFine` is an exit code that is no failure (3: blocked by findings). Peak memory is the kernel's own high-water mark, looked at while it runs (Linux only). */
export async function measure(
  program: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; discardOutput?: true; alsoFine?: number } = {},
): Promise<Measured> {
  const started = performance.now();
  const child = spawn(program, [...args], {
    env: options.env ?? process.env,
    stdio: ['ignore', options.discardOutput ? 'ignore' : 'pipe', 'pipe'],
  });
  let peakKiB: number | null = null;
  const look = setInterval(() => {
    peakKiB = highWaterKiB(child.pid) ?? peakKiB;
  }, 50);
  const chunks: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  try {
    const code = await new Promise<number | null>((done, failed) => {
      child.once('error', failed);
      child.once('close', done);
    });
    if (code !== 0 && code !== options.alsoFine)
      throw new Error(
        `${program} ${args.join(' ')} ended with ${code}: ${Buffer.concat(errors).toString().slice(-2000)}`,
      );
  } finally {
    clearInterval(look);
  }
  const ms = performance.now() - started;
  return {
    ms,
    peakMiB: peakKiB === null ? null : Math.round(peakKiB / 1024),
    stdout: Buffer.concat(chunks).toString(),
  };
}

function highWaterKiB(pid: number | undefined): number | null {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) : null;
  } catch {
    return null;
  }
}
