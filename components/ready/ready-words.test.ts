import { expect, test } from 'vitest';
import { readyState } from '#lib/console/wizard/index.ts';
import { aWizardContext } from '#lib/console/wizard/testing/a-wizard-context.ts';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { answersWords, footerWords, type NodeResult, nodeOutcome } from './ready-words.ts';

type Outcome = NodeResult['tests'][NodeTest];
const passed: Outcome = { kind: 'passed' };
const failed: Outcome = { kind: 'failed', because: 'refused' };
const missing: Outcome = { kind: 'not-run', because: 'no time' };

test.each<[string, Outcome, Outcome, string]>([
  ['all passed', passed, passed, 'ok'],
  ['one passed and the others did not run', passed, missing, 'unknown'],
  ['one did not run', missing, passed, 'unknown'],
  ['none ran', missing, missing, 'unknown'],
  ['one failed and the others did not run', failed, missing, 'bad'],
])('a node: %s', (_name, first, others, state) => {
  const tests = Object.fromEntries(nodeTestIds.map((id, at) => [id, at === 0 ? first : others]));
  expect(nodeOutcome({ tests: tests as NodeResult['tests'] }).state).toBe(state);
});

test.each<[string, Record<string, string>, string]>([
  ['open', {}, '1 open'],
  ['accepted, which shows nothing', { 'endpoint.stable': 'it stays' }, '1 accepted'],
])('a question that is %s', (_name, acknowledge, words) => {
  const apiServers = ['10.0.0.100:6443', '10.0.0.2:6443', '10.0.0.3:6443'];
  const context = aWizardContext({ facts: { endpoint: { apiServers } }, choices: { acknowledge } });
  expect(answersWords(readyState(context).questions)).toBe(words);
});

test.each([
  [0, 'Every step of the plan is done already.'],
  [2, '2 steps left, and none of them writes anything.'],
])('nothing to start, with %j steps left', (stepsLeft, rest) => {
  expect(footerWords({ ...readyState(aWizardContext()), verdict: 'nothing', stepsLeft }).rest).toBe(rest);
});
