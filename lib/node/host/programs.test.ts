import { expect, test, vi } from 'vitest';
import { askProgram } from './ask-program.ts';
import { tellProgram } from './tell-program.ts';

/** Programs of the host that the agent runs. */

test('they get nothing of the environment but where programs are, and the language that is read', async () => {
  vi.stubEnv('SIGNALBOX_CLICKHOUSE_PASSWORD', 'of the agent alone');
  vi.stubEnv('LC_ALL', 'de_DE.UTF-8');
  vi.stubEnv('XTABLES_LIBDIR', '/opt/xtables');
  const { listing } = await askProgram('env', []);
  const names = listing
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0]);
  expect(names).toEqual(expect.arrayContaining(['PATH', 'LC_ALL', 'XTABLES_LIBDIR']));
  expect(names).not.toContain('SIGNALBOX_CLICKHOUSE_PASSWORD');
  expect(names).not.toContain('HOME');
  expect(listing).toContain('LC_ALL=C\n');
  const script = 'test -z "$SIGNALBOX_CLICKHOUSE_PASSWORD" || { echo "got it" >&2; exit 1; }';
  expect(await tellProgram('sh', [], script)).toBeNull();
  vi.unstubAllEnvs();
});
