import { expect, test } from 'vitest';
import { bundleCommands } from '../../scripts/start/bundled-commands.mjs';
import { signalbox } from './testing/signalbox.ts';

/** A module for Node's `--import` that prints the URL of each loaded module on stderr. */
const telling = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });",
)}`;

test('once bundled, a command loads its bundle and none of our TypeScript, and says the same', async () => {
  await bundleCommands();
  const { out, err, code } = await signalbox(['check', '--sandbox', 'standard', '-o', 'json'], {
    NODE_OPTIONS: `--import=${telling}`,
  });
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ kind: 'Findings', cluster: 'standard' });
  const loaded = err.split('\n').filter((line) => line.startsWith('file://'));
  expect(loaded.some((url) => url.includes('/.bundle/commands-'))).toBe(true);
  expect(loaded.filter((url) => url.endsWith('.ts'))).toEqual([]);
});
