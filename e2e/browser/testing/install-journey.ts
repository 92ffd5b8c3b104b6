import type { Page } from 'playwright-core';
import { atStep, decideAll, type Hands, startForm } from './journey.ts';

export type InstallWish = {
  /** The address to name, where none is proposed. */
  endpoint?: { readonly host: string; readonly port: string };
  look?: (step: string) => Promise<void>;
};

/** From the dashboard of a cluster without Calico to the review of its installation. `look` is called at each step. */
export async function answerInstall(
  page: Page,
  hands: Hands,
  { endpoint, look = async () => undefined }: InstallWish = {},
): Promise<void> {
  const { press, write } = hands;
  const goOn = async (to: string) => {
    await press(page.getByRole('button', { name: 'Continue' }));
    await atStep(page, to);
  };
  await press(page.getByRole('button', { name: 'Install Calico', exact: true }));
  await atStep(page, 'goal');
  await look('goal');
  await goOn('platform');
  await look('platform');
  await goOn('endpoint');
  if (endpoint === undefined) await press(page.getByRole('button', { name: 'Use this address' }));
  else {
    await write(page.getByLabel('Host name or IP address'), endpoint.host);
    await write(page.getByLabel('Port'), endpoint.port);
  }
  await look('endpoint');
  await goOn('proxy');
  await look('proxy');
  await goOn('release');
  await look('release');
  await goOn('resources');
  await look('resources');
  await goOn('options');
  await look('options');
  await goOn('compatibility');
  await look('compatibility');
  await decideAll(page, hands);
  await look('compatibility-decided');
  await goOn('review');
  await startForm(page).waitFor();
  await look('review');
}

/** Starts what was reviewed, typing the cluster's name where it is asked for; the page is the run's. */
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
