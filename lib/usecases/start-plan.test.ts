import { expect, test } from 'vitest';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { isMadeFrom } from './start-plan.ts';

test.each<[string, Partial<Choices>, Partial<Choices>, boolean]>([
  ['the same answers', {}, {}, true],
  ['fixes that accepted proposals chose', { acceptProposals: true, fix: ['a'] }, { acceptProposals: true }, true],
  ['services that a test of the nodes has asked', { watchServices: true }, {}, true],
  ['services turned off meanwhile', { watchServices: true }, { watchServices: false }, false],
  ['services asked for meanwhile', {}, { watchServices: true }, false],
  ['another answer', { dsr: true }, {}, false],
])('a run of a plan is carried on by its answers: %s', (_title, planned, given, expected) => {
  const choicesOf = (some: Partial<Choices>) => choicesSchema.parse({ goal: 'enable', ...some });
  expect(isMadeFrom(choicesOf(planned), choicesOf(given))).toBe(expected);
});
