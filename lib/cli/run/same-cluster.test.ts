import { expect, test } from 'vitest';
import { flagsByProgram, readsJournals, withClusterFlags } from '#lib/text/index.ts';
import { commands } from '../commands/index.ts';
import { parseFlags } from '../flags.ts';
import { clusterFlags } from '../global-flags.ts';

test('a suggested command has --journal-namespace exactly where the command takes it', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags } = await load();
    expect(readsJournals.has(name), name).toBe('journal-namespace' in flags);
  }
});

/** Run where their cluster is, with a kubeconfig of that place. */
const besides: ReadonlySet<string> = new Set(['node', 'operator']);

test('a suggested command names the cluster exactly where the command takes that', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags } = await load();
    const led = withClusterFlags(`signalbox ${name}`, flagsByProgram({ context: 'prod' }));
    expect(led.includes('--context'), name).toBe('context' in flags && !besides.has(name));
  }
});

test('a context whose name begins with a hyphen is read back as it is', () => {
  const [, ...words] = withClusterFlags('signalbox check', flagsByProgram({ context: '-prod' })).split(' ');
  const { flags, args } = parseFlags(words, clusterFlags);
  expect([...args, flags.text('context')]).toEqual(['check', '-prod']);
});
