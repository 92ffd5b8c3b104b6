import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import { parseFlags } from '../flags.ts';
import { plain } from '../terminal/terminal.ts';
import { apply } from './apply.ts';
import { plan as planCommand } from './plan.ts';

/** `apply plan.json` with files that say one thing and do another (docs/security.md › a file), on a sandbox. */

const lie = 'HARMLESS-LOOKING';
const answers = [
  '--endpoint=api.sandbox.example:6443',
  '--fix=operator.dns-deadlock',
  ...['endpoint.reachable', 'endpoint.certificate', 'not-measured', 'proxy.comes-back'].map(
    (check) => `--acknowledge=${check}=a sandbox`,
  ),
];

let honest: Plan;
let folder: string;
let output: string;
let questions: string[];

beforeAll(async () => {
  folder = testFolder('apply');
  await run(planCommand, ['--sandbox=standard', '--instant', ...answers, `--out=${folder}/plan.json`]);
  honest = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as Plan;
});
beforeEach(() => {
  folder = testFolder('apply');
});

type Answering = { canAsk: boolean; answer: string | null };

async function run(
  command: typeof apply,
  argv: string[],
  { canAsk, answer }: Answering = { canAsk: false, answer: null },
): Promise<number> {
  output = '';
  questions = [];
  const { args, flags } = parseFlags(argv, command.flags);
  const say = (text: string) => {
    output += `${text}\n`;
  };
  return command.run({
    args,
    flags,
    env: { XDG_STATE_HOME: folder, HOME: folder },
    signal: new AbortController().signal,
    terminal: {
      out: say,
      err: say,
      isTerminal: false,
      canAsk,
      columns: 120,
      paint: plain,
      verbosity: 'normal',
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
    },
  });
}

/** Applies what `forge` makes of the plan, with a hash that fits. */
async function applied(forge: (plan: Plan) => void, argv: string[] = ['--yes'], answering?: Answering) {
  const plan = JSON.parse(JSON.stringify(honest)) as Plan;
  forge(plan);
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, hash: planHash(plan) }));
  return run(apply, [join(folder, 'plan.json'), '--sandbox=standard', '--instant', ...argv], answering).catch(
    (error: Error & { exitCode?: number }) => {
      output += error.message;
      return error.exitCode ?? error;
    },
  );
}

const without = (id: string) => (plan: Plan) => {
  plan.operations = plan.operations
    .filter((operation) => operation.id !== id)
    .map((operation, index) => ({ ...operation, seq: index + 1 }));
};

function withLies(plan: Plan): void {
  for (const operation of plan.operations) {
    Object.assign(operation, { title: lie, why: lie, diff: `+${lie}\n`, command: lie });
    if (operation.undo) Object.assign(operation.undo, { title: lie, diff: lie, command: lie });
    if (operation.nudge) Object.assign(operation.nudge, { because: lie });
  }
}

test('the file’s own words are never printed: what is shown is made from the cluster', async () => {
  expect(await applied(withLies)).toBe(0);
  expect(output).not.toContain(lie);
  expect(output).toContain('Switch 6 nodes to eBPF');
  expect(output).toMatch(/proxy\.comes-back: accepted in plan\.json: a sandbox/);
});

test('a plan without its protection of the proxy’s rules: --yes does not confirm it, and nothing is changed', async () => {
  const code = await applied((plan) => {
    without('felix.cleanup-flag')(plan);
    withLies(plan);
  });
  expect(code).toBe(3);
  expect(output).not.toContain(lie);
  expect(output).toMatch(
    /felix\.cleanup-flag \(Protect the service proxy’s rules from being cleaned up\) is a new step/,
  );
  expect(output).toContain('Nothing was changed');
  expect(await applied(without('felix.cleanup-flag'), [])).toBe(3);
});

test('on a terminal the difference is shown, and the cluster’s name confirms the plan that was made now', async () => {
  const answers = { canAsk: true, answer: 'yes' };
  expect(await applied(without('felix.cleanup-flag'), [], answers)).toBe(4);
  expect(questions).toEqual([expect.stringContaining("Type the cluster's name")]);
  expect(await applied(without('felix.cleanup-flag'), [], { canAsk: true, answer: 'standard' })).toBe(0);
  expect(output).toContain('is a new step');
  expect(output).toMatch(/felix\.cleanup-flag: finished/);
});

test('findings of the file count for nothing', async () => {
  const code = await applied((plan) => {
    plan.choices = { ...plan.choices, acknowledge: {} };
    plan.findings = { ...plan.findings, verdict: 'ready', findings: [] };
  });
  expect(code).toBe(3);
  expect(output).toContain('proxy.comes-back');
});

test.each([
  ['in the future', new Date(Date.now() + 3_600_000).toISOString(), 'in the future'],
  ['no time', 'yesterday', 'is not a time'],
  ['a number', '1', 'is not a time'],
  ['not readable', '2026-99-99T00:00:00Z', 'is not a time'],
])('madeAt that is %s is refused', async (_words, madeAt, because) => {
  expect(await applied((plan) => Object.assign(plan, { madeAt }))).toBe(2);
  expect(output).toContain(because);
});

test.each([
  ['an effect', { effect: 'none' }],
  ['objects that it writes', { targets: [] }],
  ['a way back', { undo: null }],
])('%s that the step does not have: no plan at all', async (_words, forged) => {
  const refused = await applied((plan) =>
    Object.assign(plan.operations.find(({ id }) => id === 'switch.bpf') ?? {}, forged),
  );
  expect(refused).toMatchObject({ name: 'PlanError', code: 'plan.shape' });
});

test('a plan of another cluster is refused', async () => {
  expect(await applied((plan) => Object.assign(plan, { clusterUid: 'another' }))).toBe(2);
});
