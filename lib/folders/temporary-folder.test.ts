import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from './testing/test-folder.ts';

/** How a process ends that has a temporary folder when it gets a SIGTERM. `before` and `after` run around the making of the folder. */
async function afterSigterm({ before = '', after = '' }: { before?: string; after?: string }) {
  const TMPDIR = testFolder('temporary-folder');
  const script = join(TMPDIR, 'script.mjs');
  writeFileSync(
    script,
    `import { chmodSync } from 'node:fs';
     import { temporaryFolder } from ${JSON.stringify(import.meta.resolve('./temporary-folder.ts'))};
     ${before}
     const { path } = await temporaryFolder('test');
     ${after}
     setInterval(() => {}, 1_000);
     console.log(path);`,
  );
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, TMPDIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [path] = await once(child.stdout.setEncoding('utf8'), 'data');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = await ended;
  chmodSync(TMPDIR, 0o700);
  return { code, signal, isLeft: existsSync(String(path).trim()) };
}

test('a process that nobody ends otherwise ends by the signal, without its folder', async () => {
  expect(await afterSigterm({})).toEqual({ code: null, signal: 'SIGTERM', isLeft: false });
});

test.each(['on', 'once'])('a listener (%s) of the signal finishes its work before the process ends', async (listen) => {
  const before = `process.${listen}('SIGTERM', () => setTimeout(() => process.exit(7), 200));`;
  expect(await afterSigterm({ before })).toEqual({ code: 7, signal: null, isLeft: false });
});

test('a folder that cannot be removed does not change how the process ends', async () => {
  const after = `chmodSync(process.env.TMPDIR, 0o555);
    if (process.getuid() === 0) { process.setgroups([]); process.setgid(65_534); process.setuid(65_534); }`;
  expect(await afterSigterm({ after })).toEqual({ code: null, signal: 'SIGTERM', isLeft: true });
});
