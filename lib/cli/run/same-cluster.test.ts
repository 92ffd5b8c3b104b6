import { expect, test } from 'vitest';
import { readsJournals } from '#lib/text/index.ts';
import { commands } from '../commands/index.ts';

test('a suggested command has --journal-namespace exactly where the command takes it', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags } = await load();
    expect(readsJournals.has(name), name).toBe('journal-namespace' in flags);
  }
});
