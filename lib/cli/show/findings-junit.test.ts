import { expect, test } from 'vitest';
import { aFacts } from '#lib/checks/testing/a-facts.ts';
import { runAll } from '#lib/checks/testing/find.ts';
import { findingsAsJunit } from './findings-junit.ts';

test('a check whose premise fails is skipped, and says which one', () => {
  const written = findingsAsJunit(runAll(aFacts({ platform: { kind: 'gke' } })));
  expect(written).toMatch(
    /name="feature\.vlan-devices"><skipped message="Does not apply while platform\.supported fails\."\/>/,
  );
  expect(written).toMatch(/name="platform\.supported"><failure type="blocking"/);
});
