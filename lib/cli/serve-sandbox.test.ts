import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { stateFolder } from '#lib/run/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { sandbox } from './commands/sandbox.ts';
import { runCommand } from './testing/run-command.ts';

test('a sandbox that is served already stays at its port, and says so to whoever asked for another', async () => {
  const home = testFolder('serve');
  const env = { HOME: home, XDG_STATE_HOME: home };
  const opened = await openSandbox('standard', { speed: 'normal', state: await stateFolder(env), operator: 'none' });
  try {
    const { port } = new URL((await opened.serve()).server);
    const serve = (port: string) => runCommand(sandbox, ['serve', 'standard', '--port', port], 100, env);
    expect(await serve('1')).toMatchObject({ code: 0, err: expect.stringContaining('--port 1 has no effect') });
    expect((await serve(port)).err).not.toContain('--port');
  } finally {
    await opened.close();
  }
});
