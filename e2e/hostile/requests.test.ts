import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningConsole, runningConsole } from '../console/testing/console-process.ts';
import { ask, signIn } from '../console/testing/http.ts';

const state = mkdtempSync(join(tmpdir(), 'signalbox-hostile-'));
let running: RunningConsole;
let cookie: string;
beforeAll(async () => {
  running = await runningConsole(inject('consoleBuild'), state);
  ({ cookie } = await signIn(running, running.key));
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  rmSync(state, { recursive: true, force: true });
});

test('the same request is answered with the session, and led to the sign-in without it', async () => {
  expect(await ask(running, '/', { headers: { Cookie: cookie } })).toMatchObject({ status: 200 });
  expect(await ask(running, '/')).toMatchObject({ status: 303 });
});
