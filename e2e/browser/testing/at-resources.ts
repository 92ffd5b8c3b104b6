import type { Page } from 'playwright-core';
import { atStep, type Hands, openCluster, openSteps } from './journey.ts';

const stepsUntilResources = ['platform', 'release', 'options', 'endpoint', 'proxy', 'resources'];

/** From the list of clusters to the custom resources of a new draft. Every question before is answered as proposed. */
export async function atResources(page: Page, hands: Hands, sandbox: string): Promise<void> {
  const goOn = async (to: string) => {
    await hands.press(page.getByRole('button', { name: 'Continue' }));
    await atStep(page, to);
  };
  await openCluster(page, hands, sandbox);
  await openSteps(page, hands, page.getByRole('button', { name: 'Install Calico' }).first());
  for (const step of stepsUntilResources) await goOn(step);
}
