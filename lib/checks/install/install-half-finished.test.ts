import { expect, test } from 'vitest';
import type { Facts, Subject } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'install.half-finished';
const install = { goal: 'install' } as const;
const piece = (kind: string, name: string, detail = 'a piece'): Subject => ({ kind, namespace: null, name, detail });
const begun = (unfinished: Facts['installation']['unfinished']) => ({ installation: { unfinished } });
const definition = piece('CustomResourceDefinition', 'installations.operator.tigera.io');
const installation = piece('Installation', 'default');

test('nothing, or all of it, passes', () => {
  expect(find(id, {}, install)).toMatchObject({ status: 'pass', severity: 'info' });
});

test('what is there and what is not is named, as information', () => {
  const finding = find(id, begun({ has: [definition], lacks: [installation] }), install);
  expect(finding).toMatchObject({
    status: 'fail',
    severity: 'info',
    because:
      'An installation was begun: CustomResourceDefinition installations.operator.tigera.io is there, Installation default is not. This plan continues it.',
  });
});

test('one that is being taken away is a warning', () => {
  const leaving = piece('Installation', 'default', 'is being deleted');
  const finding = find(id, begun({ has: [definition], lacks: [leaving] }), install);
  expect(finding.severity).toBe('warning');
  expect(finding.because).toContain('is being deleted');
});

test('what was not read is unknown; other goals do not ask', () => {
  expect(find(id, uncover(aFacts(), 'unfinished'), install).status).toBe('unknown');
  expect(() => find(id)).toThrow('no finding for the goal enable');
});
