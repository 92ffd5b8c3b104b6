import { expect, test } from 'vitest';
import { aFacts, uncover } from '#lib/checks/testing/a-facts.ts';
import { plain } from '../terminal/terminal.ts';
import { factsTable } from './facts-table.ts';

const shown = (facts: ReturnType<typeof aFacts>) => factsTable(facts, { paint: plain, columns: 200 } as never);

test('nodes and pools that could not be read are not counted as none', () => {
  const facts = { ...aFacts(), nodes: [], pools: [] };
  const text = shown(uncover(facts, 'nodes', 'pools'));
  expect(text).toMatch(/^nodes +not read$/m);
  expect(text).toMatch(/^pools +not read$/m);
  expect(shown(facts)).toMatch(/^nodes +0, 0 ready$/m);
  expect(shown(facts)).toMatch(/^pools +none$/m);
});
