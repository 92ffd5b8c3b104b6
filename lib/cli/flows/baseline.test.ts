import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { baselineBefore, fittingLines, keyOf } from './baseline.ts';

const begun = 1_800_000_000;
const plan = { cluster: 'lab', clusterUid: 'one', hash: 'h' };

async function keptAt(...times: (number | string)[]) {
  const env = { XDG_STATE_HOME: testFolder('baseline') };
  const folder = join(env.XDG_STATE_HOME, 'signalbox', 'flows-before');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const at of times) await writeFile(join(folder, `${keyOf(plan)}-${at}.ndjson`), '');
  return (await baselineBefore(env, plan, { run: 'this-run', begun }))?.slice(folder.length + 1) ?? null;
}

test('a run is compared with what was kept right before it, never with what was kept before an earlier run', async () => {
  expect(await keptAt(begun - 7200, begun - 4)).toBe(`${keyOf(plan)}-${begun - 4}.ndjson`);
  expect(await keptAt(begun - 7200)).toBeNull();
  expect(await keptAt(begun + 60)).toBeNull();
  // Whatever its clock did between the two: an instant sandbox's runs ahead while a file is written.
  const own = `${begun - 7200}-this-run`;
  expect(await keptAt(own, begun - 4, `${begun - 2}-another-run`)).toBe(`${keyOf(plan)}-${own}.ndjson`);
  expect(await keptAt(`${begun - 4}-another-run`)).toBeNull();
});

test('a file holds what its reader takes: by count, and by bytes of names that are no ASCII', () => {
  const flow = { id: 'a', ...aFlow() };
  expect(fittingLines(Array.from({ length: 20_001 }, () => flow))).toHaveLength(20_000);
  const wide = { ...flow, from: { ...flow.from, labels: ['名'.repeat(400)] } };
  const bytes = Buffer.byteLength(fittingLines([wide]).join(''));
  expect(bytes).toBeGreaterThan(1200);
  expect(fittingLines([wide, wide, wide], 2 * bytes)).toHaveLength(2);
});
