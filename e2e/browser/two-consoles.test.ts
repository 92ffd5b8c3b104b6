import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CalicoCluster, isSettled, startCalicoCluster } from '#e2e/cluster/testing/calico-cluster.ts';
import { comesBackTo } from '#e2e/cluster/testing/comes-back.ts';
import { contentsOf } from '#e2e/cluster/testing/contents.ts';
import { eventually } from '#e2e/cluster/testing/eventually.ts';
import { holdNode, letNodeGo } from '#e2e/cluster/testing/hold-node.ts';
import { grant, printedBy, rolesFor } from '#e2e/cluster/testing/printed-roles.ts';
import { defaultEndpoint } from '#e2e/controlplane/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { connectionErrors } from './testing/faults.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun, takeBack, takeUp } from './testing/journey.ts';
import { expectGoodLooks } from './testing/look.ts';

/** Two consoles of two installations on one cluster; the second acts as a user who holds what `signalbox rbac` prints and nothing else. */
let cluster: CalicoCluster;
let first: AConsole;
let second: AConsole;
let roles: readonly KubeObject[];

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 2 });
  roles = await printedBy(cluster.workplace, 'enable');
  await grant(cluster.plane, 'applicant', roles);
  first = await aConsole({ kubeconfig: cluster.plane.kubeconfig });
  second = await aConsole({ kubeconfig: cluster.plane.kubeconfigFor('applicant') });
});

afterAll(async () => {
  await first?.close();
  await second?.close();
  await cluster?.stop();
});

const name = 'signalbox-test';
const colon = defaultEndpoint.lastIndexOf(':');
const endpoint = { host: defaultEndpoint.slice(0, colon), port: defaultEndpoint.slice(colon + 1) };

test('one console carries a run, another follows it, looks it through and takes it over when the first is killed, pauses where a permission is missing, ends it, and takes both back', async () => {
  const before = await contentsOf(cluster.kube);
  const carrying = await aPage(first);
  const following = await aPage(second);
  // The notices about the holder and the pause differ in length, so they may move the page.
  for (const { faults } of [carrying, following]) faults.allow(/moved by .*\/runs\/\d/);
  carrying.faults.allow(connectionErrors);

  await holdNode(cluster.plane, 'worker-1');
  await openCluster(carrying.page, mouse, name);
  await answerWizard(carrying.page, mouse, { endpoint });
  await startRun(carrying.page, mouse, name);
  const run = new URL(carrying.page.url()).pathname.split('/').at(-1) ?? '';

  const { page } = following;
  await openCluster(page, mouse, name);
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  // The dashboard, which may still be there, has links to the run too.
  await page.getByRole('table').locator(`a[href$="${run}"]`).click();
  await page.getByText('Another process is carrying out this run', { exact: true }).waitFor();
  await expectGoodLooks(page);

  await first.kill();
  await page.getByText('The process that carried out this run is gone', { exact: true }).waitFor();
  await expectGoodLooks(page);
  await page.getByRole('button', { name: 'Take over' }).click();
  await takeUp(page, mouse, 'Continue the run', name);
  const own = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(own).not.toBe(run);

  const restricted = rolesFor(roles, 'write').find(({ metadata }) => metadata.namespace === 'kube-system');
  if (!restricted) throw new Error('there is no Role to write in kube-system');
  const isProxyRule = (rule: Rule) => rule.resources.includes('daemonsets') && rule.verbs.includes('patch');
  const rules = (restricted.rules as Rule[]).filter((rule) => !isProxyRule(rule));
  await grant(cluster.plane, 'applicant', [{ ...restricted, rules }]);
  await letNodeGo(cluster.plane, 'worker-1');
  const why = page.getByRole('region', { name: 'Why the run is paused' });
  await why.waitFor({ timeout: 240_000 });
  expect(await why.innerText()).toMatch(/daemonsets/);
  await expectGoodLooks(page);

  await grant(cluster.plane, 'applicant', [restricted]);
  await page.getByRole('button', { name: 'Resume' }).first().click();
  await runSays(page, /^Done/);
  await takeBack(page, mouse, name);
  await runSays(page, /^Undone/);
  await page.goto(page.url().replace(own, run));
  await page.getByRole('button', { name: 'Undo…' }).click();
  await takeUp(page, mouse, 'Undo the run', name);
  await runSays(page, /^Undone/);
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  const ofTest = ({ kind, metadata }: KubeObject) =>
    /^Role/.test(kind) && roles.some((role) => role.metadata.name === metadata.name);
  await comesBackTo(
    before.filter((object) => !ofTest(object)),
    async () => (await contentsOf(cluster.kube)).filter((object) => !ofTest(object)),
  );
});

type Rule = { resources: string[]; verbs: string[] };
