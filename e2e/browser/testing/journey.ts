import type { Locator, Page } from 'playwright-core';
import { eventually } from '#e2e/cluster/testing/eventually.ts';
import { expectGoodLooks } from './look.ts';

/** How actions are performed: with a mouse, or by keyboard only. Both find controls by their names. */
export type Hands = {
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
};

/** The reason given for findings of a cluster on which nothing can be dialled. */
const reason = 'a test cluster';

/** From the list of clusters to the dashboard of one. */
export async function openCluster(page: Page, { press }: Hands, name: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Clusters' }).waitFor();
  const link = page.getByRole('link', { name, exact: true });
  // Only the first group of sandboxes is open.
  for (const heading of [/^Platforms/, /^Failures/]) {
    if (!(await link.isVisible())) await press(page.getByRole('main').getByText(heading));
  }
  await press(link);
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** From the dashboard to the first step of a new draft, to go through all steps. */
export async function openSteps(page: Page, { press }: Hands, button: Locator): Promise<void> {
  await press(button);
  await atStep(page, 'ready');
  await press(page.getByRole('link', { name: 'Step by step' }));
  await atStep(page, 'goal');
}

/** From the dashboard to a wizard whose every question is answered; the page is at the review. `look` is called at each step. */
export async function answerWizard(
  page: Page,
  hands: Hands,
  { endpoint = 'proposed', look = async () => undefined }: EnableJourneyOptions = {},
): Promise<void> {
  await openSteps(page, hands, page.getByRole('button', { name: /eBPF/ }));
  await look('goal');
  await goOn(page, hands, 'platform');
  await look('platform');
  await goOn(page, hands, 'endpoint');
  await look('endpoint');
  if (endpoint === 'proposed') await page.getByText('In use', { exact: true }).waitFor();
  else {
    await hands.write(page.getByLabel('Host name or IP address'), endpoint.host);
    await hands.write(page.getByLabel('Port'), endpoint.port);
  }
  await goOn(page, hands, 'proxy');
  await look('proxy');
  await goOn(page, hands, 'options');
  await look('options');
  await goOn(page, hands, 'compatibility');
  await look('compatibility');
  await decideAll(page, hands);
  await look('compatibility-decided');
  await goOn(page, hands, 'review');
  await startForm(page).waitFor();
  await look('review');
}

export type EnableJourneyOptions = {
  endpoint?: 'proposed' | { readonly host: string; readonly port: string };
  look?: (step: string) => Promise<void>;
};

/** Chooses the first fix, and accepts all other findings with a reason. */
export async function decideAll(page: Page, hands: Hands): Promise<void> {
  const fixable = page.getByRole('article').filter({ has: page.getByText('Add to the plan') });
  if ((await fixable.count()) > 0) {
    const fix = fixable.first().getByText('Add to the plan');
    await openRow(fixable.first(), fix, hands);
    await hands.press(fixable.first().getByRole('button', { name: 'Add to the plan' }));
    await page.getByRole('button', { name: 'Take out of the plan' }).first().waitFor();
  }
  const together = page.getByRole('region', { name: /need a measurement on each node/ });
  if ((await together.count()) > 0) {
    await hands.press(together.getByText(/^Accept all/));
    await hands.write(together.getByLabel('Why is it safe to skip?'), reason);
    await hands.press(together.getByRole('button', { name: 'Record this reason' }));
    await together.waitFor({ state: 'detached' });
  }
  const open = /^(Accept this risk( again)?|Skip, with a reason)…$/;
  const doubts = page.getByRole('article').filter({ has: page.getByText(open) });
  for (let left = await doubts.count(); left > 0; left = await doubts.count()) {
    const doubt = doubts.first();
    await openRow(doubt, doubt.getByText(open), hands);
    await hands.press(doubt.getByText(open));
    await hands.write(doubt.getByLabel('Why is it safe to skip?'), reason);
    await hands.press(doubt.getByRole('button', { name: /^(Record|Confirm) this reason/ }));
    await eventually('the doubt to be decided', async () => (await doubts.count()) < left);
  }
}

/** Gives a reason for each question of the page *Ready to …*. */
export async function acceptQuestions(page: Page): Promise<void> {
  const panel = page.getByRole('region', { name: 'Only you can answer' });
  const open = panel.getByText(/^(Accept this risk|Skip, with a reason)…$/);
  for (let left = await open.count(); left > 0; left--) {
    await open.first().click();
    await panel.getByRole('textbox').first().fill(reason);
    await panel.getByRole('button', { name: 'Record this reason' }).first().click();
    await eventually('the reason to be recorded', async () => (await open.count()) < left);
  }
}

/** A line of the findings opens to what can be done about it. */
async function openRow(row: Locator, inside: Locator, { press }: Hands): Promise<void> {
  if (!(await inside.isVisible())) await press(row.locator('summary').first());
}

/** Starts the reviewed plan. Afterwards the page is the run's. */
export async function startRun(page: Page, { press, write }: Hands, name: string): Promise<void> {
  const form = startForm(page);
  await write(form.getByRole('textbox'), name);
  await press(form.getByRole('button', { name: /eBPF/ }));
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
}

/** Undoes the run of the page. */
export async function takeBack(page: Page, { press, write }: Hands, name: string): Promise<void> {
  await press(page.getByRole('button', { name: 'Undo…' }));
  const dialog = page.getByRole('dialog');
  await write(dialog.getByRole('textbox'), name);
  await press(dialog.getByRole('button', { name: 'Undo the run' }));
  await dialog.waitFor({ state: 'hidden' });
}

/** Continues a run of another installation after its examination and the cluster's name; ends on the run's page. */
export async function takeUp(
  page: Page,
  { press, write }: Hands,
  how: 'Continue the run' | 'Undo the run',
  name: string,
): Promise<void> {
  const form = page.getByRole('form', { name: how });
  await form.waitFor();
  await expectGoodLooks(page);
  await write(form.getByRole('textbox'), name);
  await press(form.getByRole('button', { name: how }));
  await page.waitForURL(/\/runs\/[^/]+$/);
}

/** Waits for a notice with these words on a run's page. */
export async function runSays(page: Page, words: RegExp, timeout = 240_000): Promise<void> {
  await page.getByText(words).first().waitFor({ timeout });
}

export const startForm = (page: Page) => page.getByRole('form', { name: 'Start' });

async function goOn(page: Page, { press }: Hands, to: string): Promise<void> {
  await press(page.getByRole('button', { name: 'Continue' }));
  await atStep(page, to);
}

/** Waits for a step: its URL, and the focus on its heading (WCAG 2.4.3). */
export async function atStep(page: Page, step: string): Promise<void> {
  await page.waitForURL(new RegExp(`/${step}$`));
  await page.getByRole('heading', { level: 1 }).waitFor();
}
