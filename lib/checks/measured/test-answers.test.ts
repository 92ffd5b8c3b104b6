import { expect, test } from 'vitest';
import type { TestOutcome } from '#lib/kube/index.ts';
import { type Choices, type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aFacts, aNode, someChoices } from '../testing/a-facts.ts';
import { runAll } from '../testing/find.ts';
import { testAnswers } from './test-answers.ts';

const passed: TestOutcome = { kind: 'passed' };
const failed: TestOutcome = { kind: 'failed', because: 'seen there' };

const worlds: readonly { host: string; version?: string; choices: Partial<Choices> }[] = [
  { host: '10.0.0.100', choices: { goal: 'enable', dsr: true } },
  { host: 'api.example.test', choices: { goal: 'enable' } },
  { host: '10.0.0.100', version: 'v3.27.5', choices: { goal: 'upgrade', release: 'v3.31.4' } },
];

/** What each check says, once all nodes but one pass every test, which fails these. */
function resultsOf(fails: readonly NodeTest[]): Map<string, string> {
  return new Map(
    worlds.flatMap(({ host, version, choices }, world) => {
      const endpoint = { host, port: '6443' };
      const nodes = ['worker-1', 'worker-2'].map((name) => aNode({ name }));
      const all = Object.fromEntries(nodeTestIds.map((id) => [id, passed])) as Record<NodeTest, TestOutcome>;
      const measured = {
        endpoint,
        nodes: nodes.map(({ name }, index) => ({
          ...{ node: name, ms: 1, asked: 'connection' as const },
          tests: index === 0 ? all : { ...all, ...Object.fromEntries(fails.map((id) => [id, failed])) },
        })),
      };
      const facts = aFacts({ nodes, measured, ...(version ? { installation: { version } } : {}) } as never);
      return runAll(facts, someChoices({ ...choices, endpoint })).findings.map((one) => [
        `${world} ${one.id}`,
        JSON.stringify([one.status, one.because, one.subjects]),
      ]);
    }),
  );
}

const fine = resultsOf([]);

test.each(nodeTestIds.map((id) => [id, testAnswers[id].answers] as const))(
  '%s answers %o, and no other',
  (id, answers) => {
    const changed = [...resultsOf([id])].flatMap(([key, words]) =>
      fine.get(key) === words ? [] : [key.split(' ')[1]],
    );
    expect([...new Set(changed)].sort()).toEqual([...answers].sort());
  },
);
