import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { begin } from './testing/signalbox.ts';

/** `flows` opens a socket in a folder among the machine's temporary files. */
test.each([
  ['its reader goes away (`| head`)', ({ child }: ReturnType<typeof begin>) => child.stdout.destroy()],
  ['Ctrl-C', ({ child }: ReturnType<typeof begin>) => child.kill('SIGINT')],
  ['the terminal is closed', ({ child }: ReturnType<typeof begin>) => child.kill('SIGHUP')],
  ['SIGTERM', ({ child }: ReturnType<typeof begin>) => child.kill('SIGTERM')],
])('no temporary file is left when flows are followed and %s', async (_, end) => {
  const TMPDIR = testFolder('temporary-files');
  const following = begin(['flows', '--sandbox', 'flow-logs', '--watch', '-o', 'ndjson'], { TMPDIR });
  await once(following.child.stdout, 'data');
  expect(readdirSync(TMPDIR)).toHaveLength(1);
  end(following);
  await following.ended;
  expect(readdirSync(TMPDIR)).toEqual([]);
});
