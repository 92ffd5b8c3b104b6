import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aProcess, clusterContents, expectSameCluster } from '#e2e/journey/index.ts';
import { openManifest, openRelease } from '#lib/release/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { type OpenSandbox, openSandbox } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema, resources } from '#lib/spec/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { enterprise, madeUp, ownResources, text, writeEnterprise } from '../testing/enterprise-folder.ts';
import { goodEndpoint } from '../testing/stage.ts';
import { startedRun } from '../testing/started-run.ts';

let folder: string;
let sandbox: OpenSandbox;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-enterprise-'));
  sandbox = await openSandbox('empty-kubeadm', { speed: 'instant', operator: 'v3.31.4' });
  await sandbox.clock.sleep(60_000);
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const env = () => ({ SIGNALBOX_CACHE: join(folder, 'cache') });

async function prepare(answers: Partial<Choices> = {}) {
  const [host = '', port = ''] = goodEndpoint.split(':');
  const given = choicesSchema.parse({
    goal: 'install',
    release: enterprise,
    source: folder,
    endpoint: { host, port },
    acceptProposals: true,
    fix: ['operator.dns-deadlock'],
    ...answers,
  });
  const once = (choices: Choices) =>
    preparePlan({
      ...sandbox,
      answers: choices,
      choices: () => choices,
      releases: (wanted, until) => openRelease(wanted, { env: env(), signal: until }),
      manifests,
      signal,
    });
  const { findings } = await once(given);
  const open = findings.findings.filter(({ status, severity }) => status === 'unknown' || severity === 'warning');
  const acknowledge = Object.fromEntries(open.map(({ id }) => [id, 'known on this test cluster']));
  return once({ ...given, acknowledge });
}

const manifests: NonNullable<Parameters<typeof preparePlan>[0]['manifests']> = (ref, { choices, signal: until }) =>
  openManifest(ref, { ...choices, env: env(), signal: until });

test('from its own files: what is asked of the operator is shown, made, kept, and undone', async () => {
  await writeEnterprise(folder, [madeUp('LogStorage', 'logstorages'), madeUp('Manager', 'managers')]);
  const { kube, store, clock } = sandbox;
  const before = await clusterContents(kube);
  const { plan, findings } = await prepare();
  expect(findings.findings.find(({ id }) => id === 'install.enterprise')).toMatchObject({
    status: 'unknown',
    because: `The Installation of the folder ${join(folder, enterprise)} asks for TigeraSecureEnterprise, and of Calico Enterprise nothing was tried here.`,
  });
  const ask = plan.operations.find(({ id }) => id === 'custom-resources');
  for (const shown of ['TigeraSecureEnterprise', 'tigera-pull-secret', 'LogStorage', 'Manager'])
    expect(ask?.diff).toContain(shown);
  expect(ask?.needs.map(({ resource }) => resource)).toEqual(expect.arrayContaining(['logstorages', 'managers']));

  const installer = () => ({ ...aProcess({ kube, clock }), manifests });
  const installed = startedRun(await startRun(installer(), plan));
  expect(installed.outcome).toEqual({ kind: 'done' });
  const found = await store.get({ resource: resources.installations, name: 'default' });
  expect(found).toMatchObject({
    spec: { variant: 'TigeraSecureEnterprise', calicoNetwork: { linuxDataplane: 'BPF' } },
    status: { variant: 'TigeraSecureEnterprise', calicoVersion: enterprise },
  });
  const logStorages = { ...resources.installations, kind: 'LogStorage', plural: 'logstorages' };
  expect(await store.get({ resource: logStorages, name: 'tigera-secure' })).toMatchObject({
    spec: { nodes: { count: 1 } },
  });

  await clock.sleep(60_000);
  const undone = startedRun(await continueRun(installer(), installed.run, { how: 'undo' }));
  expect(undone.outcome).toEqual({ kind: 'undone' });
  await clock.sleep(60_000);
  expectSameCluster(before, await clusterContents(kube));
});

test('a kind that its files do not define is refused by name, before anything is made', async () => {
  await writeEnterprise(folder, [madeUp('LogStorage', 'logstorages')]);
  await expect(prepare()).rejects.toThrow(
    /^customResources: kind Manager of tigera-secure .* is defined by no file of v3\.22\.2 in the folder/,
  );
});

test('somebody’s own file stands in the place of the release’s, and what it may not hold is said', async () => {
  await writeEnterprise(folder, [madeUp('LogStorage', 'logstorages')]);
  const { plan } = await prepare({ customResources: text(ownResources.filter(({ kind }) => kind !== 'Manager')) });
  expect(plan.operations.find(({ id }) => id === 'custom-resources')?.diff).not.toContain('Manager');
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tigera-pull-secret' } };
  await expect(prepare({ customResources: text([...ownResources, secret]) })).rejects.toThrow(
    /holds Secret tigera-pull-secret \(v1\)\. Only resources of the operator/,
  );
});

test('Calico’s own files cannot become Enterprise', async () => {
  await writeEnterprise(folder, []);
  await expect(prepare({ customResources: text(ownResources.slice(0, 2)) })).rejects.toThrow(
    /spec\.variant: TigeraSecureEnterprise needs kinds that only Calico Enterprise has/,
  );
});
