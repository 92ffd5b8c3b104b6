import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { mouse } from './testing/hands.ts';
import { answerUntilRelease } from './testing/install-journey.ts';
import { atStep, openCluster } from './testing/journey.ts';
import { expectGoodLooks, pageChecks } from './testing/look.ts';
import { aMirror, type Mirror } from './testing/mirror.ts';

/** Where the files of a release come from, in the console as it stands: a mirror on this machine, and none at all. */
let console: AConsole;
let mirror: Mirror;

beforeAll(async () => {
  console = await aConsole();
  mirror = await aMirror();
});

afterAll(async () => {
  await console?.close();
  await mirror?.close();
});

test('a download that breaks says so, keeps what came, and carries on behind it', async () => {
  const { page } = await aPage(console);
  const { look, finish } = pageChecks(page);
  const files = page.getByRole('region', { name: /^Files of/ });
  await openCluster(page, mouse, 'empty-kubeadm');
  await answerUntilRelease(page, mouse);
  await page.getByRole('radio', { name: /^v3\.31\.4/ }).check();
  await page.getByRole('radio', { name: /^A mirror/ }).check();
  await page.getByLabel('Address of the mirror').fill(mirror.url);
  const get = page.getByRole('button', { name: 'Get the files of v3.31.4' });
  await get.waitFor();
  expect(await page.getByRole('button', { name: 'Continue', disabled: false }).count()).toBe(0);
  await look('files that nobody asked for yet');
  // A large one, whose checksum is published: what came of it can be held against that once it is whole.
  mirror.pull('operator-crds.yaml');
  await get.click();
  await files.getByText('On their way', { exact: true }).waitFor();
  await files.getByText('Not available', { exact: true }).waitFor();
  await page.getByText(/The files that arrived are kept/).waitFor();
  await look('files that could not be had');
  mirror.plug();
  const before = mirror.requests.length;
  await page.getByRole('button', { name: 'Try again' }).click();
  await files.getByText('Complete', { exact: true }).waitFor();
  const again = mirror.requests.slice(before).find(({ file }) => file === 'operator-crds.yaml');
  expect(again?.range).toMatch(/^bytes=[1-9]\d*-$/);
  await page.getByRole('button', { name: 'Continue', disabled: false }).waitFor();
  await look('files that are here');
  finish();
});

test('a step of an upgrade that waits for the files of its release shows them, and goes on by itself once they are here', async () => {
  // A console that has no files yet.
  const another = await aConsole();
  onTestFinished(another.close);
  const { page } = await aPage(another);
  await openCluster(page, mouse, 'calico-3.30');
  await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
  await atStep(page, 'ready');
  const draft = new URL(page.url()).pathname.replace(/\/ready$/, '');
  await page.goto(`${draft}/release`);
  await page.getByRole('radio', { name: /^v3\.31\.4/ }).check();
  await page.getByRole('radio', { name: /^A mirror/ }).check();
  await page.getByLabel('Address of the mirror').fill(mirror.url);
  mirror.hold('tigera-operator.yaml');
  await page.getByRole('button', { name: 'Get the files of v3.31.4' }).click();
  const files = page.getByRole('region', { name: 'Files of v3.31.4' });
  await files.getByText('On their way', { exact: true }).waitFor();
  for (const step of ['changes', 'compatibility']) {
    await page.goto(`${draft}/${step}`);
    await files.getByText('On their way', { exact: true }).waitFor();
  }
  await expectGoodLooks(page);
  mirror.plug();
  await files.waitFor({ state: 'detached' });
});

test('a machine without a network dials nobody: it says which files to bring', async () => {
  const { page } = await aPage(console);
  const { look, finish } = pageChecks(page);
  const files = page.getByRole('region', { name: /^Files of/ });
  await openCluster(page, mouse, 'empty-kubeadm');
  await answerUntilRelease(page, mouse);
  const before = mirror.requests.length;
  await page.getByRole('radio', { name: /^v3\.31\.7/ }).check();
  await page.getByRole('radio', { name: /^A mirror/ }).check();
  await page.getByLabel('Address of the mirror').fill(mirror.url);
  await page.getByRole('radio', { name: /air-gapped/ }).check();
  const list = page.getByRole('status').filter({ hasText: 'Bring these files' });
  await list.getByText('tigera-operator.yaml').waitFor();
  await files.getByText('Not available', { exact: true }).waitFor();
  await page.getByText(/air-gapped, so no network is used/).waitFor();
  expect(await page.getByRole('button', { name: 'Continue', disabled: false }).count()).toBe(0);
  expect(mirror.requests.length).toBe(before);
  await look('an air-gapped machine without files');
  finish();
});
