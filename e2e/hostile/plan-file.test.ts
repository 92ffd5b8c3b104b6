import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CalicoCluster, startCalicoCluster } from '#e2e/cluster/testing/calico-cluster.ts';
import { contentsOf } from '#e2e/cluster/testing/contents.ts';
import { readyAnswers } from '#e2e/cluster/testing/ready-answers.ts';
import { mustSignalbox, signalbox } from '#e2e/cluster/testing/signalbox-process.ts';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import { listRuns } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';

/** A plan.json that shows one thing and does another (docs/security.md › a file), applied by the real program on a real API server. */

const lie = 'HARMLESS-LOOKING';
const evil = 'evil.example';
let cluster: CalicoCluster;
let honest: Plan;
let before: KubeObject[];

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'v3.31.4', nodes: 1 });
  await mustSignalbox(cluster.workplace, ['plan', ...readyAnswers(), '--out', 'honest.json', '-q']);
  honest = JSON.parse(readFileSync(join(cluster.workplace.cwd, 'honest.json'), 'utf8')) as Plan;
});
beforeEach(async () => {
  before = await contentsOf(cluster.kube);
});
afterAll(async () => {
  await cluster?.stop();
});

/** Writes a plan.json that `forge` has changed, with a matching hash. */
function forged(forge: (plan: Plan) => void): void {
  const plan = JSON.parse(JSON.stringify(honest)) as Plan;
  forge(plan);
  writeFileSync(join(cluster.workplace.cwd, 'plan.json'), JSON.stringify({ ...plan, hash: planHash(plan) }));
}

/** Makes the texts of every step say that nothing happens. */
function lying(plan: Plan): void {
  for (const operation of plan.operations) {
    Object.assign(operation, { title: lie, why: lie, diff: `+${lie}\n`, command: lie });
    if (operation.undo) Object.assign(operation.undo, { title: lie, diff: lie, command: lie });
    if (operation.nudge) Object.assign(operation.nudge, { because: lie });
  }
  Object.assign(plan.findings, { verdict: 'ready', findings: [] });
}

/** Removes the steps before the proxy is turned off that protect its rules and prove that eBPF works. */
function unprotected(plan: Plan): void {
  const dropped = ['felix.cleanup-flag', 'bpf.active'];
  plan.operations = plan.operations
    .filter(({ id }) => !dropped.includes(id))
    .map((operation, index) => ({ ...operation, seq: index + 1 }));
}

function toElsewhere(plan: Plan): void {
  const step = plan.operations.find(({ id }) => id === 'endpoint.configmap');
  if (step?.act.kind !== 'apply') throw new Error('there is no endpoint to forge');
  step.act.body.data = { KUBERNETES_SERVICE_HOST: evil, KUBERNETES_SERVICE_PORT: '6443' };
}

const applying = (...flags: string[]) => signalbox(cluster.workplace, ['apply', 'plan.json', ...flags]);

async function nothingChanged(): Promise<void> {
  expectSameCluster(before, await contentsOf(cluster.kube));
  expect(await listRuns(cluster.kube, journalNamespaces)).toEqual([]);
}

/** Runs `apply` in a pseudo-terminal, and answers its question with this text. */
function applyAnswering(answer: string): Promise<{ code: number | null; output: string }> {
  const program = fileURLToPath(new URL('../../bin/signalbox', import.meta.url));
  const { kubeconfig, stateHome, cwd } = cluster.workplace;
  const child = spawn('script', ['-qec', `'${program}' apply plan.json`, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd,
    env: { PATH: process.env.PATH, KUBECONFIG: kubeconfig, HOME: stateHome, XDG_STATE_HOME: stateHome, TERM: 'dumb' },
  });
  let output = '';
  let isAnswered = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (isAnswered || !output.includes('to continue:')) return;
    isAnswered = true;
    child.stdin.write(`${answer}\n`);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

test('a plan that leaves its protection out and says that it is harmless: --yes ends with 3, and nothing is written', async () => {
  forged((plan) => {
    unprotected(plan);
    lying(plan);
  });
  for (const flags of [['--yes'], ['--yes', '-o', 'json'], []]) {
    const { code, out, err } = await applying(...flags);
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('bpf.active') });
    expect(out + err).not.toContain(lie);
    await nothingChanged();
  }
});

test('on a terminal the plan that was made now is shown with what differs; a wrong answer changes nothing', async () => {
  forged((plan) => {
    unprotected(plan);
    lying(plan);
  });
  const { code, output: lines } = await applyAnswering('yes');
  // The terminal breaks sentences into lines.
  const text = lines.replace(/\s+/g, ' ');
  expect(code).toBe(4);
  expect(text).not.toContain(lie);
  expect(text).toMatch(/felix\.cleanup-flag[\s\S]*is a new step/);
  expect(text).toContain('Protect the service proxy’s rules from being cleaned up');
  await nothingChanged();
});

test('an address that was not chosen, behind an honest diff: no plan at all', async () => {
  forged(toElsewhere);
  const { code, out, err } = await applying('--yes');
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('endpoint.configmap may not do') });
  expect(out + err).not.toContain(evil);
  await nothingChanged();
});

test('findings that say ready where the cluster does not: exit 3 with the findings of now', async () => {
  forged((plan) => {
    plan.choices = { ...plan.choices, acknowledge: {} };
    lying(plan);
  });
  const { code, out, err } = await applying('--yes');
  expect(code).toBe(3);
  expect(out + err).not.toContain(lie);
  expect(err).toContain('proxy.comes-back');
  await nothingChanged();
});

test.each([
  ['an hour ahead', new Date(Date.now() + 3_600_000).toISOString()],
  ['in another century', '2999-01-01T00:00:00.000Z'],
  ['no time', 'soon'],
])('madeAt that is %s is refused', async (_words, madeAt) => {
  forged((plan) => Object.assign(plan, { madeAt }));
  const { code, err } = await applying('--yes');
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('madeAt') });
  await nothingChanged();
});

test.each([
  ['made a moment ago', 0],
  ['older than five minutes', 600_000],
])(
  'a plan %s, on a cluster that has changed since: --yes ends with 3 and names the difference',
  async (_words, ageMs) => {
    const felix = '/apis/crd.projectcalico.org/v1/felixconfigurations/default';
    forged((plan) => Object.assign(plan, { madeAt: new Date(Date.now() - ageMs).toISOString() }));
    await cluster.plane.api.patch(felix, { spec: { bpfKubeProxyIptablesCleanupEnabled: true } });
    before = await contentsOf(cluster.kube);
    const { code, err } = await applying('--yes');
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringMatching(/felix\.cleanup-flag[\s\S]*Nothing was changed/),
    });
    await nothingChanged();
    await cluster.plane.api.patch(felix, { spec: { bpfKubeProxyIptablesCleanupEnabled: null } });
  },
);

test('words that lie over acts that do not: the plan runs under its own words', async () => {
  forged(lying);
  const { code, out, err } = await applying('--yes');
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('is done') });
  expect(out + err).not.toContain(lie);
  const report = await mustSignalbox(cluster.workplace, ['report']);
  expect(report.out).not.toContain(lie);
});
