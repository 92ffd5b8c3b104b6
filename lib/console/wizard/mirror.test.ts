import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { choicesSchema } from '#lib/spec/index.ts';
import { mirrorOf } from './command-preview.ts';
import { stepIdsOf } from './steps.ts';
import { aSituation } from './testing/a-situation.ts';

const cluster = { name: 'prod-eu-1', kind: 'kubeconfig' } as const;

test('the commands are those of the plan, grow with the steps, and keep its order', () => {
  const situation = aSituation();
  const grown = stepIdsOf('enable').map((step) => mirrorOf(situation, cluster, step).parts.map(({ title }) => title));
  for (const [index, titles] of grown.slice(1).entries())
    expect(titles).toEqual(expect.arrayContaining(grown[index] ?? []));
  const all = mirrorOf(situation, cluster, 'review');
  expect(all.toCome).toBe(0);
  if (situation.plan.kind !== 'made') throw new Error('no plan');
  const commands = situation.plan.operations.filter(({ command }) => command !== '').map(({ command }) => command);
  let at = 0;
  for (const command of commands) {
    at = all.script.indexOf(command, at);
    expect(at).toBeGreaterThan(-1);
  }
});

test("a step's own part is marked: the address in the step of the endpoint", () => {
  const { parts } = mirrorOf(aSituation(), cluster, 'endpoint');
  const here = parts.filter((part) => part.here).flatMap(({ lines }) => lines);
  expect(here.join('\n')).toContain('--from-literal=KUBERNETES_SERVICE_HOST=10.0.0.100');
  expect(
    parts
      .filter((part) => !part.here)
      .flatMap(({ lines }) => lines)
      .join('\n'),
  ).not.toContain('KUBERNETES_SERVICE_HOST=10');
});

test.each([
  [{ name: 'prod eu', kind: 'kubeconfig' }, "signalbox plan --context 'prod eu' --choices answers.yaml"],
  [{ name: 'standard', kind: 'sandbox' }, 'signalbox plan --sandbox standard --choices answers.yaml'],
  [{ name: 'here', kind: 'in-cluster' }, 'signalbox plan --choices answers.yaml'],
] as const)('%j: %s', (entry, command) => {
  expect(mirrorOf(aSituation(), entry, 'goal').cli.command).toBe(command);
});

test('the answers file reads back as the same answers, whatever was typed', () => {
  const choices = {
    endpoint: { host: "a'\n END\nrm -rf", port: '6443' },
    acknowledge: { 'network.vxlan-between-nodes': 'open: "yes" # I asked' },
    fix: ['operator.dns-deadlock'],
    dsr: true,
    set: { 'calicoNetwork.mtu': 1400 },
  };
  const situation = aSituation({ choices });
  const { answers } = mirrorOf(situation, cluster, 'review').cli;
  expect(answers.split('\n')).not.toContain('END');
  expect(choicesSchema.parse(parse(answers))).toEqual(situation.draft.answers);
});

test('evidence that is no object of kubectl, or only looks like one, becomes no command', () => {
  const evidence = [
    { object: 'Node/worker-1', path: 'spec.providerID', value: 'kind://' },
    { object: 'kube-system/ConfigMap/a; rm -rf /', path: 'x', value: null },
    { object: 'APIGroup/x', path: 'x', value: null },
    { object: '/version', path: 'gitVersion', value: null },
  ];
  const { parts } = mirrorOf(aSituation({ facts: { platform: { kind: 'kind', evidence } } }), cluster, 'platform');
  expect(parts.find(({ step }) => step === 'platform')?.lines).toEqual(['kubectl get node worker-1 -o yaml']);
});
