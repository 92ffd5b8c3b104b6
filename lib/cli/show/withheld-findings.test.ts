import { expect, test } from 'vitest';
import { runChecks } from '#lib/checks/index.ts';
import { aFacts } from '#lib/checks/testing/a-facts.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { plain } from '../terminal/terminal.ts';
import { findingsTable } from './findings-table.ts';

test('what one permission keeps from many checks is one block with one set of Roles, and none of them is listed again', () => {
  const missing = { kind: 'Node', because: 'refused', rule: { verb: 'list', group: '', resource: 'nodes' } };
  const facts = aFacts({ coverage: { nodes: { covered: false, missing: [missing] } } } as never);
  const choices = choicesSchema.parse({ goal: 'enable', acceptProposals: true });
  const findings = runChecks(facts, choices, { now: facts.observedAt });
  const text = findingsTable(findings, { paint: plain, columns: 100 } as never, 'open');
  expect(text.match(/node\.kernel,/g)).toHaveLength(1);
  expect(text).toContain('Refused to you: list nodes.');
  expect(text.match(/kubectl apply/g)).toHaveLength(1);
  const open = findingsTable(
    { ...findings, verdict: 'needs-answers' },
    { paint: plain, columns: 500 } as never,
    'open',
  );
  expect(open).toMatch(
    /^Needs answers: 3 findings to accept with --acknowledge ID=REASON, or to fix; 20 only lack permissions, which one set of Roles gives\./,
  );
});
