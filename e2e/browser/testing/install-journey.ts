import type { Page } from 'playwright-core';
import { eventually } from '#e2e/cluster/testing/eventually.ts';
import { atStep, decideAll, type Hands, openSteps, startForm } from './journey.ts';

export type InstallJourneyOptions = {
  /** The address to name, where none is proposed. */
  endpoint?: { readonly host: string; readonly port: string };
  /** Called at the screens that only installing has; the others are looked at where eBPF is enabled. */
  look?: (step: string) => Promise<void>;
};

/** From the dashboard of a cluster without Calico to the step that asks for the release. */
export async function answerUntilRelease(page: Page, hands: Hands): Promise<void> {
  await openSteps(page, hands, page.getByRole('button', { name: 'Install Calico', exact: true }));
  await goOn(page, hands, 'platform');
  await goOn(page, hands, 'release');
}

/** From there to the review of the installation. */
export async function answerInstall(
  page: Page,
  hands: Hands,
  { endpoint, look = async () => undefined }: InstallJourneyOptions = {},
): Promise<void> {
  const { write } = hands;
  await answerUntilRelease(page, hands);
  await look('release');
  await goOn(page, hands, 'options');
  await look('options');
  await goOn(page, hands, 'endpoint');
  if (endpoint === undefined) await page.getByText('In use', { exact: true }).waitFor();
  else {
    await write(page.getByLabel('Host name or IP address'), endpoint.host);
    await write(page.getByLabel('Port'), endpoint.port);
  }
  await fixHere(page, hands);
  await goOn(page, hands, 'proxy');
  await fixHere(page, hands);
  await look('proxy');
  await goOn(page, hands, 'resources');
  await look('resources');
  await goOn(page, hands, 'compatibility');
  await decideAll(page, hands);
  await goOn(page, hands, 'review');
  await startForm(page).waitFor();
  await look('review');
}

async function goOn(page: Page, { press }: Hands, to: string): Promise<void> {
  await press(page.getByRole('button', { name: 'Continue' }));
  await atStep(page, to);
}

/** Takes into the plan what the checks offer to fix, where without it the step is not ready. */
async function fixHere(page: Page, { press }: Hands): Promise<void> {
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await eventually(
    'the checks to have looked at the address',
    async () => (await steps.getByText(/is proposed|none yet/).count()) === 0,
  );
  const on = page.getByRole('button', { name: 'Continue', disabled: false });
  const fix = page.getByRole('main').getByRole('button', { name: 'Add to the plan' }).first();
  await on.or(fix).first().waitFor();
  if ((await on.count()) > 0) return;
  await press(fix);
  await on.waitFor();
}

/** Starts the reviewed plan, and types the cluster's name if the form asks for it. Afterwards the page is the run's. */
export async function startInstall(page: Page, { press, write }: Hands, name: string): Promise<void> {
  const form = startForm(page);
  if ((await form.getByRole('textbox').count()) > 0) await write(form.getByRole('textbox'), name);
  await press(form.getByRole('button'));
  await page.waitForURL(/\/runs\/(?!draft-)[^/]+$/);
}

/** Takes an installation back: the page is its run's. */
export async function uninstall(page: Page, { press, write }: Hands, name: string): Promise<void> {
  await press(page.getByRole('button', { name: 'Uninstall…' }));
  const dialog = page.getByRole('dialog');
  await write(dialog.getByRole('textbox'), name);
  await press(dialog.getByRole('button', { name: 'Uninstall' }));
  await dialog.waitFor({ state: 'hidden' });
}
