import { execFileSync } from 'node:child_process';

/** Seconds that a program took: of the clock, of the processor in all, and of it what the kernel worked for it. */
export type Took = { readonly wall: number; readonly cpu: number; readonly kernel: number };

/** Runs a program of rules in a network namespace, and says what it took. */
export function tookRules(namespace: string, command: readonly string[], rules: string): Took {
  // `times` of the shell says it of its children: user and system (POSIX).
  const script = '"$@" >&2 && times';
  const began = performance.now();
  const text = execFileSync('ip', ['netns', 'exec', namespace, 'sh', '-c', script, 'sh', ...command], {
    input: rules,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const wall = (performance.now() - began) / 1000;
  const [user = 0, kernel = 0] = (text.trim().split('\n')[1] ?? '').split(' ').map(secondsOf);
  return { wall, cpu: user + kernel, kernel };
}

/** `1m2.345678s` */
function secondsOf(text: string): number {
  const [, minutes = 0, seconds = 0] = (/^(\d+)m([\d.]+)s$/.exec(text) ?? []).map(Number);
  return minutes * 60 + seconds;
}
