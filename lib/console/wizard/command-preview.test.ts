import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { choicesSchema } from '#lib/spec/index.ts';
import { flagsByProgram, withClusterFlags } from '#lib/text/index.ts';
import { commandPreview } from './command-preview.ts';
import { stepIdsOf } from './steps.ts';
import { aWizardContext } from './testing/a-wizard-context.ts';

const warning = '# INCOMPLETE: do not run';

test('the commands are those of the plan, grow with the steps, and keep its order', () => {
  const context = aWizardContext();
  const grown = stepIdsOf({ goal: 'enable' }).map((step) =>
    commandPreview(context, step)
      .parts.map(({ text }) => text)
      .filter((text) => !text.startsWith(warning)),
  );
  for (const [index, titles] of grown.slice(1).entries())
    expect(titles).toEqual(expect.arrayContaining(grown[index] ?? []));
  const all = commandPreview(context, 'review');
  if (context.plan.kind !== 'made') throw new Error('no plan');
  const commands = context.plan.operations.filter(({ command }) => command !== '');
  let at = 0;
  for (const { command } of commands) {
    at = all.script.indexOf(withClusterFlags(command, context.flags), at);
    expect(at).toBeGreaterThan(-1);
  }
});

test("a step's own part is marked: the address in the step of the endpoint", () => {
  const { parts } = commandPreview(aWizardContext(), 'endpoint');
  const textOf = (here: boolean) => parts.filter((part) => part.here === here).map(({ text }) => text);
  expect(textOf(true).join('\n')).toContain('--from-literal=KUBERNETES_SERVICE_HOST=10.0.0.100');
  expect(textOf(false).join('\n')).not.toContain('KUBERNETES_SERVICE_HOST=10');
});

test.each([
  [{ context: 'prod eu' }, "signalbox plan --choices answers.yaml --context 'prod eu'"],
  [{ sandbox: 'standard' }, 'signalbox plan --choices answers.yaml --sandbox standard'],
  [{}, 'signalbox plan --choices answers.yaml'],
])('%j: %s', (named, command) => {
  const context = { ...aWizardContext(), flags: flagsByProgram(named) };
  expect(commandPreview(context, 'goal').cli.split('\n').at(-2)).toBe(command);
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
  const answers = commandPreview(context, 'review').cli.split('\n').slice(1, -3).join('\n');
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
  const { parts } = commandPreview(aWizardContext({ facts: { platform: { kind: 'kind', evidence } } }), 'platform');
  expect(parts.filter(({ here }) => here).map(({ text }) => text.split('\n').slice(1))).toEqual([
    ['kubectl --context prod get node worker-1 -o yaml'],
  ]);
});

/** Runs what is copied in a shell that finds nothing but a `kubectl` that tells that it was called. */
function runCopied(script: string) {
  expect(spawnSync('sh', ['-n'], { input: script }).status).toBe(0);
  const called = `kubectl() { echo "called: $*"; }\n${script}`;
  return spawnSync('/bin/sh', { input: called, env: { PATH: '' }, encoding: 'utf8' });
}

const gke = { facts: { platform: { kind: 'gke' } } } as const;

test.each([
  ['of a step in the middle', aWizardContext(), 'endpoint', 'more block'],
  ['of a plan that findings block', aWizardContext(gke), 'review', 'platform.supported: '],
  ['of answers that make no plan', aWizardContext({ choices: { goal: 'undo' } }), 'review', 'has no plan of its own'],
] as const)('commands %s refuse to run, and say why', (_of, context, step, why) => {
  const { parts, script } = commandPreview(context, step);
  expect(script.startsWith(`${warning}\n`)).toBe(true);
  expect(parts.map(({ text }) => `${text}\n`).join('\n')).toBe(script);
  const { status, stdout, stderr } = runCopied(script);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(why);
});

test('a platform that is refused shows no patch', () => {
  expect(commandPreview(aWizardContext(gke), 'review').script).not.toMatch(/kubectl .*\b(patch|create|apply|delete)\b/);
});

test('the whole plan, allowed, is copied without a warning', () => {
  const toDecide = aWizardContext().findings.findings.filter(({ status }) => status === 'unknown');
  const acknowledge = Object.fromEntries(toDecide.map(({ id }) => [id, 'measured by hand']));
  const { script } = commandPreview(aWizardContext({ choices: { acknowledge } }), 'review');
  expect(spawnSync('sh', ['-n'], { input: script }).status).toBe(0);
  expect(script.startsWith('set -eu\n')).toBe(true);
});
