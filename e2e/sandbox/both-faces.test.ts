import { afterEach, expect, test } from 'vitest';
import type { Finding, Findings } from '#lib/checks/index.ts';
import { commands } from '#lib/cli/commands/index.ts';
import { runCommand } from '#lib/cli/testing/run-command.ts';
import { type AConsole, aConsole, closeConsoles } from '#lib/console/host/testing/a-console.ts';
import { failureOf, okValue, until } from '#lib/console/host/testing/a-page.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { enterprise, madeUp, writeEnterprise } from './testing/enterprise-folder.ts';
import { goodEndpoint } from './testing/stage.ts';

afterEach(closeConsoles);

/** The part of a finding that both faces must agree on. The time of reading differs. */
const comparable = ({ id, status, because, subjects }: Finding) => ({ id, status, because, subjects });

async function slugOf(host: AConsole['host'], sandbox: string): Promise<string> {
  const found = (await host.clusters()).find(({ kind, name }) => kind === 'sandbox' && name === sandbox);
  return found?.slug ?? '';
}

async function enterpriseFolder(): Promise<string> {
  const folder = testFolder('both-faces');
  await writeEnterprise(folder, [madeUp('LogStorage', 'logstorages'), madeUp('Manager', 'managers')]);
  return folder;
}

test('the command line and the console say the same of a folder of Calico Enterprise', async () => {
  const folder = await enterpriseFolder();
  const flags = ['--goal', 'install', '--release', enterprise, '--source', folder, '--endpoint', goodEndpoint];
  const sandbox = ['--sandbox', 'empty-kubeadm', '--instant'];
  const home = { HOME: testFolder('both-faces') };
  const check = await commands.check?.load();
  if (!check) throw new Error('there is no check');
  const { out } = await runCommand(check, [...sandbox, ...flags, '--output', 'json'], 100, home);
  const onCommandLine: Findings = JSON.parse(out);

  const { host } = await aConsole();
  const cluster = await slugOf(host, 'empty-kubeadm');
  const draft = okValue(await host.createDraft(cluster, 'install'));
  const [address = '', port = ''] = goodEndpoint.split(':');
  const answers = { release: enterprise, source: folder, endpoint: { host: address, port } };
  okValue(await host.answer(cluster, draft.id, draft.revision, 'release', answers));
  // A page waits only a moment for the folder's files; then it reports them as on their way, and refreshes once they are open.
  const isOpen = async () => okValue(await host.assess(cluster, draft.id, 'kept')).release?.progress.kind === 'open';
  await until('the folder is open', isOpen);
  const inConsole = okValue(await host.assess(cluster, draft.id, 'kept')).findings;

  expect(onCommandLine.findings.find(({ id }) => id === 'install.enterprise')?.status).toBe('unknown');
  expect(inConsole.findings.map(comparable)).toEqual(onCommandLine.findings.map(comparable));
  expect(inConsole.verdict).toBe(onCommandLine.verdict);
});

test('a review in the console asks for a word on Calico Enterprise, as the plan of the command line does', async () => {
  const { host } = await aConsole();
  const cluster = await slugOf(host, 'empty-kubeadm');
  const draft = okValue(await host.createDraft(cluster, 'install'));
  const answers = { release: enterprise, source: await enterpriseFolder(), acceptProposals: true };
  okValue(await host.answer(cluster, draft.id, draft.revision, 'release', answers));
  const review = await host.review(cluster, draft.id, 'kept');
  if (!review.ok) throw new Error(failureOf(review).message);
  const { findings } = review.value.plan.findings;
  expect(findings.find(({ id }) => id === 'install.enterprise')?.status).toBe('unknown');
});
