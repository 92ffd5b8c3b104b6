import { expect, test } from 'vitest';
import { aFacts } from '#lib/checks/testing/a-facts.ts';
import { choicesSchema, goals } from '#lib/spec/index.ts';
import { prepareProbe } from './prepare-probe.ts';

const facts = aFacts();
const proposed = { suggested: { host: 'proposed.example', port: 6443, because: 'kubeadm was given it', doubts: [] } };
const configMap = { namespace: 'tigera-operator', host: 'used.example', port: '443' };

function connectedTo(endpoint: object, given: object): string | null {
  const made = prepareProbe({ ...facts, endpoint: { ...facts.endpoint, ...endpoint } }, choicesSchema.parse(given), {
    image: 'x',
    nodes: null,
    nodeSelector: {},
  });
  if ('because' in made) throw new Error(made.because);
  expect(made.question.endpoint?.host).toBe(made.settings.endpoint?.host);
  return made.settings.endpoint?.host ?? null;
}

test.each(goals)('nodes connect to a proposed address for goals that write one only: %s', (goal) => {
  const writes = goal === 'install' || goal === 'enable';
  const none = { ...proposed, configMap: null };
  expect(connectedTo(none, { goal })).toBe(writes ? 'proposed.example' : null);
  expect(connectedTo(none, { goal, acceptProposals: true })).toBe(writes ? 'proposed.example' : null);
  expect(connectedTo({ ...proposed, configMap }, { goal })).toBe('used.example');
});
