import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { openRelease } from '#lib/release/index.ts';
import { ownIdentity } from '#lib/run/index.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { assess } from '#lib/usecases/index.ts';
import { aConsole, closeConsoles } from '../testing/a-console.ts';
import { okValue, standard } from '../testing/a-page.ts';
import { aSharedCluster } from '../testing/shared-cluster.ts';

const folder = process.env.SIGNALBOX_CALICO_DIR ?? '';
const isAway = !existsSync(join(folder, 'v3.31.4'));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await closeConsoles();
  for (const close of closing.splice(0)) await close();
});

const line = ({ id, status, because }: { id: string; status: string; because: string }) => `${id} ${status} ${because}`;

test.skipIf(isAway)('a console judges an upgrade by the files of a release as the command line does', async () => {
  const { stage, slug, console: open } = await aSharedCluster('edited-manifest');
  closing.push(() => stage.close());
  const { host } = await open({ identity: await ownIdentity(testFolder('release-sources')) });
  const answers = { release: 'v3.31.4', source: folder, airGapped: true };
  const draft = okValue(await host.createDraft(slug, 'upgrade'));
  okValue(await host.answer(slug, draft.id, draft.revision, 'release', answers));
  const inConsole = okValue(await host.assess(slug, draft.id, 'kept')).findings.findings;

  const choices = choicesSchema.parse({ goal: 'upgrade', ...answers });
  const { signal } = new AbortController();
  const env = {
    ...process.env,
    XDG_CACHE_HOME: testFolder('release-sources'),
    XDG_STATE_HOME: testFolder('release-sources'),
  };
  const { findings } = await assess({
    use: (work) => work({ kube: stage.ours, clock: stage.clock }),
    clock: stage.clock,
    answers: choices,
    choices: () => choices,
    releases: (wanted, until) => openRelease(wanted, { env, signal: until }),
    signal,
  });
  expect(inConsole.map(line)).toEqual(findings.findings.map(line));

  const found = new Map(inConsole.map((finding) => [finding.id, finding]));
  expect(found.get('upgrade.manual-changes')?.because).toContain('data.veth_mtu');
  expect(found.get('upgrade.field-conflicts')).toMatchObject({
    status: 'fail',
    because: expect.stringMatching(/fields of \d+ objects.* that the upgrade changes/),
  });
});

test('a sandbox brings its files; nothing is downloaded for a cluster without a source', async () => {
  const { host } = await aConsole();
  const draft = okValue(await host.createDraft(standard, 'upgrade'));
  okValue(await host.answer(standard, draft.id, draft.revision, 'release', { release: 'v3.31.7' }));
  const { findings } = okValue(await host.assess(standard, draft.id, 'kept')).findings;
  expect(findings.find(({ id }) => id === 'upgrade.crd-behind')?.status).toBe('pass');

  const { stage, slug, console: open } = await aSharedCluster();
  closing.push(() => stage.close());
  const shared = await open({ identity: await ownIdentity(testFolder('release-sources')) });
  const other = okValue(await shared.host.createDraft(slug, 'upgrade'));
  okValue(await shared.host.answer(slug, other.id, other.revision, 'release', { release: 'v3.31.7' }));
  const ofOther = okValue(await shared.host.assess(slug, other.id, 'kept')).findings.findings;
  expect(ofOther.find(({ id }) => id === 'upgrade.field-conflicts')).toMatchObject({
    status: 'unknown',
    because: expect.stringMatching(/files of \S+ were not read/),
  });
});
