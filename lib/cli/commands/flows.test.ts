import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../testing/run-command.ts';
import { flows } from './flows.ts';

const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'signalbox-flows-')) };
const run = (...argv: string[]) => runCommand(flows, [...argv, '--sandbox', 'flow-logs'], 100, env);

test('why takes ends by the names that flows show, of pods that are gone too', async () => {
  const { out, code } = await run('why', 'shop/checkout', 'payments/ledger-db:5432');
  expect(code).toBe(0);
  expect(out).toMatch(/→ payments\/ledger-db:5432 TCP: denied, as the flow logs of the last 15m have it\.\n/);
  expect(out).toMatch(/end of tier default/);
});

test('why says so where there is neither pod nor flow', async () => {
  await expect(run('why', 'shop/nobody', 'payments/ledger-db:5432')).rejects.toThrow(
    'There is no pod shop/nobody, and no flow tells of one. Flow logs have none between them in the last 15m.',
  );
});
