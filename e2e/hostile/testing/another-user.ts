import { type ChildProcess, spawn } from 'node:child_process';

/** The user `nobody` on most systems: any user who is neither this one nor root. */
export const anotherUid = 65_534;
/** Only root can become another user. */
export const canBeAnotherUser = process.getuid?.() === 0;

const becomeAnother = `process.setgroups([]); process.setgid(${anotherUid}); process.setuid(${anotherUid});`;
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Another user of this machine, who runs `script` as CommonJS: `require`, `process.argv`. It becomes that user before anything else. */
export type AnotherUser = {
  /** The next line of its output. Rejects with the output if the script ends before. */
  line(): Promise<string>;
  end(): Promise<void>;
};

export function asAnotherUser(script: string, args: readonly string[] = []): AnotherUser {
  const child = spawn(process.execPath, ['-e', `${becomeAnother}\n${script}`, '--', ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const lines: string[] = [];
  const waiting: PromiseWithResolvers<string>[] = [];
  let rest = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const next = waiting.shift();
      if (next) next.resolve(part);
      else lines.push(part);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      running.delete(child);
      for (const one of waiting.splice(0)) one.reject(new Error(`The other user's program has ended:\n${errors}`));
      resolve();
    }),
  );
  return {
    line: () => {
      const known = lines.shift();
      if (known !== undefined) return Promise.resolve(known);
      const next = Promise.withResolvers<string>();
      waiting.push(next);
      return next.promise;
    },
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
