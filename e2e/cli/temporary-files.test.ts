import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { begin } from './testing/signalbox.ts';

/** `flows` opens a socket in a folder among the machine's temporary files. Ctrl-C and SIGTERM end it in order. */
test.each([
  ['its reader goes away (`| head`)', 0, ({ child }: ReturnType<typeof begin>) => child.stdout.destroy()],
  ['Ctrl-C', 0, ({ child }: ReturnType<typeof begin>) => child.kill('SIGINT')],
  ['the terminal is closed', null, ({ child }: ReturnType<typeof begin>) => child.kill('SIGHUP')],
  ['SIGTERM', 0, ({ child }: ReturnType<typeof begin>) => child.kill('SIGTERM')],
])('no temporary file is left when flows are followed and %s; exit code %s', async (_, code, end) => {
  const TMPDIR = testFolder('temporary-files');
  const following = begin(['flows', '--sandbox', 'flow-logs', '--watch', '-o', 'ndjson'], { TMPDIR });
  await once(following.child.stdout, 'data');
  expect(readdirSync(TMPDIR)).toHaveLength(1);
  end(following);
  expect(await following.ended).toMatchObject({ code });
  expect(readdirSync(TMPDIR)).toEqual([]);
});
