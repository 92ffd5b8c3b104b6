import { afterEach, expect, test } from 'vitest';
import { aConsole, closeConsoles } from '../testing/a-console.ts';
import { enableOn, failureOf, okValue, standard, untilRun } from '../testing/a-page.ts';

afterEach(closeConsoles);

const where = { kind: 'sandbox', name: 'standard' };

test('a plan from the command line is carried here, and its run is one like any other', async () => {
  const { host, carryPlan } = await aConsole();
  const { plan } = (await enableOn(host, standard)).review;
  const { cluster, run } = okValue(await carryPlan(JSON.parse(JSON.stringify(plan)), where));
  expect(cluster).toBe(standard);
  await untilRun(host, cluster, run, 'done');
});

test('what is no plan, was changed, is for nobody or is not ready does not start', async () => {
  const { host, carryPlan } = await aConsole();
  const { plan } = (await enableOn(host, standard)).review;
  const [first, ...rest] = plan.operations;
  const code = async (given: unknown, to: unknown = where) => failureOf(await carryPlan(given, to)).code;
  expect(await code({ kind: 'Plan' })).toBe('plan.shape');
  expect(await code({ ...plan, operations: rest })).toBe('plan.shape');
  expect(await code({ ...plan, operations: [{ ...first, title: 'Another' }, ...rest] })).toBe('plan.tampered');
  expect(await code(plan, { kind: 'kubeconfig', name: 'no-such' })).toBe('cluster.not-found');
  expect(await code(plan, 'standard')).toBe('plan.invalid');
  expect(await code({ ...plan, findings: { ...plan.findings, verdict: 'blocked' } })).toBe('plan.blocked');
  expect(await code(plan, { kind: 'sandbox', name: 'bpf' })).toBe('plan.other-cluster');
  expect(okValue(await host.runs(standard)).runs).toEqual([]);
});
