import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Answer, Question } from './traffic-process.ts';

export type Traffic = {
  /** What became of it; a connection that is refused or silent is an answer too. */
  readonly ask: (question: Question) => Promise<Answer>;
  readonly end: () => Promise<void>;
};

const script = join(import.meta.dirname, 'traffic-process.ts');

/** A process of ours in a network namespace, and in a group of cgroup2 from its first instruction on. */
export function startTraffic(namespace: string, cgroup: string | null): Traffic {
  const enter = cgroup === null ? '' : `echo $$ >${cgroup}/cgroup.procs; `;
  const child = spawn(
    'ip',
    [
      ...['netns', 'exec', namespace, 'sh', '-c', `${enter}exec "$@"`, 'sh'],
      ...[process.execPath, '--disable-warning=ExperimentalWarning', script],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const waiting: ((answer: Answer) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Answer));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (child.exitCode !== null) return reject(new Error('The process has ended.'));
        waiting.push(resolve);
        child.stdin.write(`${JSON.stringify(question)}\n`);
      }),
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
