import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { aConsole, closeConsoles, enableOn, waitFor } from './testing/a-console.ts';

afterEach(closeConsoles);

test('a draft becomes a run that is done', async () => {
  const state = await mkdtemp(join(tmpdir(), 'signalbox-host-'));
  const { host, sandbox } = await aConsole({ state });
  const { review, draft } = await enableOn(host, sandbox);
  expect(review.plan.findings.verdict).toBe('ready');
  const answer = await host.start(sandbox, draft.id, {
    revision: draft.revision,
    planHash: review.plan.hash,
    confirmation: review.plan.cluster,
  });
  if (!answer.ok) throw new Error(answer.message);
  const { run } = answer.value;
  await waitFor('the run is done', async () => {
    const details = await host.run(sandbox, run);
    return details.ok && details.value.report.state.kind === 'done';
  });
});
