import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { choicesSchema } from '#lib/spec/index.ts';
import { commandPreview } from './command-preview.ts';
import { stepIdsOf } from './steps.ts';
import { aWizardContext } from './testing/a-wizard-context.ts';

const cluster = { name: 'prod-eu-1', kind: 'kubeconfig' } as const;

test('the commands are those of the plan, grow with the steps, and keep its order', () => {
  const context = aWizardContext();
  const grown = stepIdsOf('enable').map((step) =>
    commandPreview(context, cluster, step).parts.map(({ title }) => title),
  );
  for (const [index, titles] of grown.slice(1).entries())
    expect(titles).toEqual(expect.arrayContaining(grown[index] ?? []));
  const all = commandPreview(context, cluster, 'review');
  expect(all.toCome).toBe(0);
  if (context.plan.kind !== 'made') throw new Error('no plan');
  const commands = context.plan.operations.filter(({ command }) => command !== '').map(({ command }) => command);
  let at = 0;
  for (const command of commands) {
    at = all.script.indexOf(command, at);
    expect(at).toBeGreaterThan(-1);
  }
});

test("a step's own part is marked: the address in the step of the endpoint", () => {
  const { parts } = commandPreview(aWizardContext(), cluster, 'endpoint');
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
  expect(commandPreview(aWizardContext(), entry, 'goal').cli.command).toBe(command);
});

test('the answers file reads back as the same answers, whatever was typed', () => {
  const choices = {
    endpoint: { host: "a'\n END\nrm -rf", port: '6443' },
    acknowledge: { 'network.vxlan-between-nodes': 'open: "yes" # I asked' },
    fix: ['operator.dns-deadlock'],
    dsr: true,
    set: { 'calicoNetwork.mtu': 1400 },
  };
  const context = aWizardContext({ choices });
  const { answers } = commandPreview(context, cluster, 'review').cli;
  expect(answers.split('\n')).not.toContain('END');
  expect(choicesSchema.parse(parse(answers))).toEqual(context.draft.answers);
});

test('evidence that is no object of kubectl, or only looks like one, becomes no command', () => {
  const evidence = [
    { object: 'Node/worker-1', path: 'spec.providerID', value: 'kind://' },
    { object: 'kube-system/ConfigMap/a; rm -rf /', path: 'x', value: null },
    { object: 'APIGroup/x', path: 'x', value: null },
    { object: '/version', path: 'gitVersion', value: null },
  ];
  const { parts } = commandPreview(
    aWizardContext({ facts: { platform: { kind: 'kind', evidence } } }),
    cluster,
    'platform',
  );
  expect(parts.find(({ step }) => step === 'platform')?.lines).toEqual(['kubectl get node worker-1 -o yaml']);
});
