import { expect, test } from 'vitest';
import { planWords } from './suggest-words.ts';

test('a policy that denies at once is not offered like one that is only staged', () => {
  expect(planWords('StagedNetworkPolicy')).toBe('Review as a plan');
  expect(planWords('NetworkPolicy')).toContain('will deny');
});
