import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { type InstallStage, openInstallStage } from '../testing/install-stage.ts';
import { startedRun } from '../testing/started-run.ts';

let stage: InstallStage;
afterEach(() => stage.close());

const id = 'proxy.not-ipvs';

test('a proxy in IPVS mode: the fix is a run of its own, which waits for the nodes to forget, and is undone', async () => {
  stage = await openInstallStage({ nodes: 1, shape: { proxy: { mode: 'ipvs', turnedOff: false } } });
  const empty = await stage.contents();

  const blocked = await stage.prepare();
  expect(blocked.findings.verdict).toBe('blocked');

  const { plan, findings } = await stage.prepare({ fix: [id] });
  expect(findings.findings.find((finding) => finding.id === id)?.fixedBy).toBe('proxy.ipvs-to-iptables');
  expect(plan.operations.map((operation) => operation.id)).toEqual(['snapshot', 'proxy.ipvs-to-iptables']);

  // IPVS leftovers of kube-proxy stay on a node until a clean-up or a reboot; until then the run waits.
  const { run, outcome } = startedRun(await startRun(stage.installer(), plan));
  expect(outcome.kind).toBe('paused');
  const fixed = await stage.prepare();
  expect(fixed.findings.findings.find((finding) => finding.id === id)?.status).toBe('pass');
  expect(fixed.plan.operations.map((operation) => operation.id)).toContain('custom-resources');

  const undone = startedRun(await continueRun(stage.installer(), run, { how: 'undo' }));
  expect(undone.outcome).toEqual({ kind: 'undone' });
  await stage.pass(60);
  expectSameCluster(empty, await stage.contents());
});
