import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { closeBrowser } from '#e2e/browser/testing/browser.ts';
import { startConsole } from '#e2e/browser/testing/console-process.ts';
import { mouse } from '#e2e/browser/testing/hands.ts';
import { answerWizard, openCluster, startRun } from '#e2e/browser/testing/journey.ts';
import { openPage } from '#e2e/browser/testing/open-page.ts';
import { aCluster, openSandbox } from '#lib/sandbox/index.ts';
import { rawCharacters } from '#lib/text/testing/canaries.ts';
import { infested } from '#lib/text/testing/infested.ts';

/**
 * The real console and Chromium on a cluster in which every free text is hostile. The text, names and attributes of each page, and the received document,
 * contain no invisible characters, and no script of the cluster runs.
 */
test('pages of a hostile cluster show its texts, and do nothing that they say', async () => {
  const state = await aHostileSandbox();
  const console = await startConsole({ build: inject('consoleBuild'), state });
  onTestFinished(async () => {
    await closeBrowser();
    await console.close();
  });
  const { page, context } = await openPage(console);
  const seen: Seen[] = [];
  const look = async (where: string) => {
    await page.waitForLoadState('load');
    seen.push(await lookAt(page, where));
  };

  await openCluster(page, mouse, 'standard');
  await page.getByText('whisper').first().waitFor();
  await look('dashboard');
  const dashboard = page.url();
  await page.goto(`${dashboard}/findings`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await look('findings');
  await page.goto(`${dashboard}/runs`);
  await look('runs');
  await page.goto(dashboard);
  await answerWizard(page, mouse, { look });
  const draft = page.url().split('/').at(-2);
  await startRun(page, mouse, 'standard');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await look('run');
  const run = page.url();
  await page.goto(`${run}/report`);
  await look('report');
  await page.goto('/');
  await look('clusters');
  // A cluster with only hostile texts is broken; the pages show what they can.
  await openCluster(page, mouse, 'bpf');
  await look('broken dashboard');
  await page.goto(`${page.url()}/findings`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await look('broken findings');

  expect(seen.flatMap(({ where, raw }) => raw.map((one) => `${where}: ${one}`))).toEqual([]);
  expect(seen.filter(({ owned }) => owned)).toEqual([]);
  // The hostile texts must be on the pages, or the test would show nothing.
  expect(seen.filter(({ canaries }) => canaries > 0).map(({ where }) => where)).toEqual(
    expect.arrayContaining(['dashboard', 'review', 'broken dashboard', 'broken findings']),
  );

  const slug = new URL(dashboard).pathname.split('/').at(-1);
  const id = new URL(run).pathname.split('/').at(-1);
  const files = ['?format=md', '?format=json', '?format=gitops'].map(
    (query) => `/api/clusters/${slug}/runs/${id}/report${query}`,
  );
  for (const path of [
    ...files,
    `/api/clusters/${slug}/drafts/${draft}/plan.sh`,
    `/api/clusters/${slug}/drafts/${draft}/plan.json`,
    `/api/clusters/${slug}/drafts/${draft}/plan.yaml`,
  ]) {
    const text = await page.evaluate(async (address) => (await fetch(address)).text(), path);
    expect(text.length, path).toBeGreaterThan(100);
    expect(rawCharacters(text), path).toEqual([]);
  }
  globalThis.console.info(
    `${seen.length} pages looked at; canaries seen: ${seen.map(({ where, canaries }) => `${where} ${canaries}`).join(', ')}`,
  );
  await context.close();
});

type Seen = { where: string; raw: string[]; canaries: number; owned: boolean };

async function lookAt(page: Page, where: string): Promise<Seen> {
  const { texts, owned, sent } = await page.evaluate(async () => {
    const texts = [document.title, document.documentElement.outerHTML];
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) texts.push(name, value);
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) texts.push(element.value);
      for (const child of element.childNodes)
        if (child.nodeType === Node.TEXT_NODE) texts.push(child.textContent ?? '');
    }
    // The document as the server sends it, with the data embedded in it.
    const sent = await (await fetch(location.href)).text();
    return { texts, owned: 'owned' in globalThis, sent };
  });
  const all = [...texts, sent];
  return {
    where,
    raw: [...new Set(all.flatMap((text) => rawCharacters(text)))].slice(0, 20),
    canaries: texts.slice(2).filter((text) => text.includes('c4n4ry')).length,
    owned,
  };
}

/** Creates the sandbox in a state folder, where a console finds it. */
async function aHostileSandbox(): Promise<string> {
  const state = mkdtempSync(join(tmpdir(), 'signalbox-text-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const own = join(state, 'signalbox');
  mkdirSync(own, { mode: 0o700 });
  for (const [name, where] of [
    ['standard', 'free text'],
    ['bpf', 'everywhere'],
  ] as const) {
    const objects = [...aCluster({}), aStatus].map((object) => infested(object, where));
    const sandbox = await openSandbox(name, { speed: 'normal', state: own, operator: 'none', objects });
    // The sandbox's controllers may fail because of the hostile texts.
    await sandbox.close().catch(() => undefined);
  }
  return state;
}

/** A TigeraStatus of no component, which no operator changes. */
const aStatus = {
  apiVersion: 'operator.tigera.io/v1',
  kind: 'TigeraStatus',
  metadata: { name: 'whisper' },
  status: {
    conditions: [{ type: 'Available', status: 'True', reason: 'AllObjectsAvailable', message: 'As it says:' }],
  },
};
