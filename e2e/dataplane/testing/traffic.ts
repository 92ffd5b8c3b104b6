import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LoadQuestion, LoadReport } from './load-process.ts';
import type { Answer, Question } from './traffic-process.ts';

type Asked<Ask, Reply> = {
  readonly ask: (question: Ask) => Promise<Reply>;
  readonly end: () => Promise<void>;
};

/** A process that sends traffic. Its answers are results: a connection that is refused or silent does not reject. */
export type Traffic = Asked<Question, Answer>;

/** A process that measures traffic under load. The answer null means only that the request is done. */
export type Load = Asked<LoadQuestion, LoadReport | null>;

export const startTraffic = (namespace: string | null, cgroup: string | null): Traffic =>
  startScript('traffic-process.ts', namespace, cgroup);

export const startLoad = (namespace: string, cgroup: string | null): Load =>
  startScript('load-process.ts', namespace, cgroup);

/** A process of ours in a network namespace (null: this machine's own), and in a group of cgroup2 from its first instruction on. */
function startScript<Ask, Reply>(script: string, namespace: string | null, cgroup: string | null): Asked<Ask, Reply> {
  const enter = cgroup === null ? '' : `echo $$ >${cgroup}/cgroup.procs; `;
  const [program = '', ...args] = [
    ...(namespace === null ? [] : ['ip', 'netns', 'exec', namespace]),
    ...['sh', '-c', `${enter}exec "$@"`, 'sh'],
    ...[process.execPath, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, script)],
  ];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: PromiseWithResolvers<Reply>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line) as Reply));
  const hasEnded = () => new Error('The process has ended.');
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      for (const one of waiting.splice(0)) one.reject(hasEnded());
      resolve();
    }),
  );
  return {
    ask(question) {
      if (child.exitCode !== null) return Promise.reject(hasEnded());
      const asked = Promise.withResolvers<Reply>();
      waiting.push(asked);
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return asked.promise;
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
