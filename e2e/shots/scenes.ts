import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { awkwardCluster } from '#e2e/browser/testing/awkward-cluster.ts';
import { mouse } from '#e2e/browser/testing/hands.ts';
import {
  answerWizard,
  atStep,
  openCluster,
  openSteps,
  runSays,
  startForm,
  startRun,
  takeBack,
} from '#e2e/browser/testing/journey.ts';
import { oddServers } from '#e2e/browser/testing/odd-servers.ts';
import { stepIdsOf } from '#lib/console/wizard/index.ts';
import { changesStory, flowScenes } from './flow-scenes.ts';
import { heldState } from './held-state.ts';
import { installStory, standingInstallStory } from './install-scenes.ts';
import { readyStory } from './ready-scenes.ts';
import { referenceScenes } from './reference-scenes.ts';
import { resourcesStory } from './resources-scenes.ts';
import type { Scene, Stage, Story } from './story.ts';
import { upgradeStory } from './upgrade-scenes.ts';
import { verifiedStory } from './verified-scenes.ts';

const remember = (page: Page, { memory }: Stage, name: string) => void memory.set(name, new URL(page.url()).pathname);
const recall = (page: Page, { memory }: Stage, name: string, more = '') => page.goto(`${memory.get(name)}${more}`);

/** A page at an address that some chapter remembered. */
function at(name: string, place: string, more = '', seen?: (page: Page) => Promise<unknown>): Scene {
  return {
    name,
    arrive: async (page, stage) => {
      await recall(page, stage, place, more);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await seen?.(page);
    },
  };
}

function ofSandbox(name: string, sandbox: string, link?: RegExp): Scene {
  return {
    name,
    arrive: async (page) => {
      await openCluster(page, mouse, sandbox);
      if (link) {
        // On a narrow screen the rail is a menu.
        const menu = page.getByText('Menu', { exact: true });
        if (await menu.isVisible()) await menu.click();
        await page.getByRole('link', { name: link }).locator('visible=true').click();
      }
      await page.waitForTimeout(1500);
    },
  };
}

/** Where a console keeps its copies of the runs that it carried: without them its own runs count as somebody else's. */
const copiesIn = (state: string) => join(state, 'signalbox', 'runs');
const elsewhere = (state: string) => `${copiesIn(state)}-elsewhere`;
/** By another name first: the console may write into the folder while it is emptied. */
const forgetRuns = (state: string) => {
  renameSync(copiesIn(state), elsewhere(state));
  rmSync(elsewhere(state), { recursive: true, force: true, maxRetries: 5 });
};

const happened = (page: Page) => page.getByRole('list', { name: /What happened/ }).waitFor();
const draftSteps = stepIdsOf({ goal: 'enable' }).filter((step) => step !== 'run');
const openDraft = async (page: Page, sandbox: string) => {
  await openCluster(page, mouse, sandbox);
  await openSteps(page, mouse, page.getByRole('button', { name: /eBPF/ }).first());
};
const goOn = async (page: Page, to: string) => {
  await page.getByRole('button', { name: 'Continue' }).click();
  await atStep(page, to);
};

export const stories: readonly Story[] = [
  readyStory,
  upgradeStory,
  changesStory,
  {
    name: 'nothing was done yet',
    start: async () => ({}),
    chapters: [
      {
        happens: async () => undefined,
        scenes: [
          { name: 'sign-in', session: 'none', arrive: async (page) => void (await page.goto('/sign-in')) },
          {
            name: 'sign-in, wrong link',
            session: 'none',
            arrive: async (page) => {
              await page.goto('/sign-in#key=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefg');
              await page.getByText('This link is not valid').waitFor();
            },
          },
          {
            name: 'clusters',
            arrive: async (page) => void (await page.goto('/').then(() => page.waitForTimeout(2500))),
          },
          {
            name: 'clusters, filtered',
            isAlsoBroad: true,
            arrive: async (page) => void (await page.goto('/?q=kube-proxy').then(() => page.waitForTimeout(1500))),
          },
          {
            name: 'palette',
            arrive: async (page) => {
              await openCluster(page, mouse, 'old-kernel');
              await page.keyboard.press('Control+k');
              await page.getByRole('option', { name: /^Enable eBPF/ }).waitFor();
            },
          },
          { name: 'not found', arrive: async (page) => void (await page.goto('/clusters/nothing-00000000')) },
          ...['standard', 'bpf', 'not-ready', 'empty', 'proxy-gone'].map((name) =>
            ofSandbox(`dashboard, ${name}`, name),
          ),
          ...['standard', 'old-kernel', 'proxy-gone', 'empty'].map((name) =>
            ofSandbox(`findings, ${name}`, name, /^Findings/),
          ),
          ofSandbox('runs, none yet', 'bpf', /^Runs/),
          ...referenceScenes,
          ...flowScenes,
        ],
      },
      {
        happens: async (page, stage) => {
          await openDraft(page, 'standard');
          await goOn(page, 'platform');
          await goOn(page, 'endpoint');
          remember(page, stage, 'fresh endpoint');
          await openDraft(page, 'old-kernel');
          await goOn(page, 'platform');
          await goOn(page, 'endpoint');
          await goOn(page, 'proxy');
          await goOn(page, 'options');
          await goOn(page, 'compatibility');
          remember(page, stage, 'blocked');
        },
        scenes: [
          at('wizard, endpoint unanswered', 'fresh endpoint'),
          at('wizard, endpoint wrong', 'fresh endpoint', '', async (page) => {
            await page.getByLabel('Host name or IP address').fill('https://10.0.0.100/');
            await page.getByLabel('Port').fill('99999');
            await page.getByLabel('Port').blur();
            await page.waitForTimeout(1500);
            await page.getByRole('button', { name: 'Continue' }).click({ force: true });
            await page.waitForTimeout(800);
          }),
          at('wizard, compatibility blocked', 'blocked', '', (page) => page.waitForTimeout(1000)),
        ],
      },
    ],
  },
  {
    name: 'a run that stands still',
    start: async () => ({ state: await heldState('standard', 'worker-3') }),
    chapters: [
      {
        happens: async (page, stage) => {
          await openCluster(page, mouse, 'standard');
          await answerWizard(page, mouse);
          remember(page, stage, 'review');
          stage.memory.set('draft', new URL(page.url()).pathname.replace(/\/review$/, ''));
        },
        scenes: [
          ...draftSteps.map((step) => at(`wizard, ${step}`, 'draft', `/${step}`, (page) => page.waitForTimeout(1200))),
          at('review, name missing', 'draft', '/review', async (page) => {
            await startForm(page).getByRole('textbox').press('Enter');
            await page.getByText(/^Type the cluster's name/).waitFor();
          }),
          at('review, watched', 'draft', '/review', async (page) => {
            await page.getByRole('button', { name: 'Watch Services' }).click();
            await page.getByRole('button', { name: 'Do not watch Services' }).waitFor();
            await page.getByText(/^Bookkeeping of the run/).click();
          }),
          {
            name: 'drafts, one renamed',
            arrive: async (page) => {
              await openCluster(page, mouse, 'standard');
              await page.goto(`${new URL(page.url()).pathname}/runs`);
              await page.getByText('Rename').first().click();
            },
          },
          at('review, all open', 'draft', '/review', async (page) => {
            await startForm(page).waitFor();
            await page.evaluate(() => {
              for (const each of document.querySelectorAll('main details')) each.setAttribute('open', '');
            });
          }),
        ],
      },
      {
        happens: async (page, stage) => {
          await recall(page, stage, 'review');
          await startRun(page, mouse, 'standard');
          remember(page, stage, 'run');
          await page
            .getByText(/worker-3/)
            .locator('visible=true')
            .first()
            .waitFor();
          // The others have moved by then, and this one is late.
          await page
            .getByText(/^5 of 6/)
            .first()
            .waitFor({ timeout: 60_000 })
            .catch(() => undefined);
          await page.waitForTimeout(3_000);
        },
        scenes: [
          at('run, moving', 'run', '', happened),
          at('run, step open', 'run', '#step-4', (page) =>
            page.getByRole('region', { name: 'Inside of step 4' }).getByText('Read at').waitFor(),
          ),
          ofSandbox('dashboard, during a run', 'standard'),
          {
            name: 'clusters, during a run',
            arrive: async (page) => void (await page.goto('/').then(() => page.waitForTimeout(1500))),
          },
          at('run, stop asked', 'run', '', async (page) => {
            await happened(page);
            await page.getByRole('button', { name: 'Stop…' }).click();
          }),
          at('run, undo asked', 'run', '', async (page) => {
            await happened(page);
            await page.getByRole('button', { name: 'Undo…' }).click();
            await page.waitForTimeout(2000);
          }),
          {
            ...at('run, reconnecting', 'run'),
            arrive: async (page, stage) => {
              await recall(page, stage, 'run');
              await happened(page);
              await page.waitForTimeout(500);
              stage.cable.pull();
              await page.getByText('The console does not answer', { exact: true }).waitFor();
            },
            leave: async ({ cable }) => cable.plug(),
          },
        ],
      },
      {
        happens: async (page, stage) => {
          await recall(page, stage, 'run');
          await page.getByRole('button', { name: 'Pause', exact: true }).click();
          await page.getByRole('region', { name: 'Why the run is paused' }).waitFor({ timeout: 60_000 });
        },
        scenes: [at('run, paused', 'run', '', happened), ofSandbox('dashboard, paused run', 'standard')],
      },
      {
        happens: async (_page, { console }) => forgetRuns(console.state),
        scenes: [
          at('run, of another installation', 'run', '', happened),
          at('look through, to carry on', 'run', '/look-through?to=resume'),
          at('look through, name missing', 'run', '/look-through?to=resume', async (page) => {
            await page.getByRole('button', { name: 'Continue the run' }).click();
            await page.waitForTimeout(1500);
          }),
        ],
      },
      {
        happens: async (page, stage) => {
          await recall(page, stage, 'run');
          await page.getByRole('button', { name: 'Stop…' }).first().click();
          await page.getByRole('dialog').getByRole('button', { name: /^Stop/ }).click();
          await runSays(page, /^Stopped/);
        },
        scenes: [
          at('run, stopped', 'run', '', happened),
          at('report, stopped', 'run', '/report'),
          ofSandbox('dashboard, stopped run', 'standard'),
        ],
      },
    ],
  },
  {
    name: 'there and back',
    start: async () => ({}),
    chapters: [
      {
        happens: async (page, stage) => {
          await openCluster(page, mouse, 'standard');
          await answerWizard(page, mouse);
          await startRun(page, mouse, 'standard');
          remember(page, stage, 'run');
          await runSays(page, /^Done/);
        },
        scenes: [
          at('run, done', 'run', '', happened),
          ofSandbox('dashboard, on eBPF', 'standard'),
          ofSandbox('findings, on eBPF', 'standard', /^Findings/),
        ],
      },
      {
        happens: async (_page, { console }) => void renameSync(copiesIn(console.state), elsewhere(console.state)),
        scenes: [at('look through, to undo', 'run', '/look-through?to=undo')],
      },
      {
        happens: async (_page, { console }) => void renameSync(elsewhere(console.state), copiesIn(console.state)),
        scenes: [],
      },
      {
        happens: async (page, stage) => {
          await recall(page, stage, 'run');
          await takeBack(page, mouse, 'standard');
          await runSays(page, /^Undone/);
        },
        scenes: [
          at('run, undone', 'run', '', happened),
          at('report', 'run', '/report'),
          { ...at('report, printed', 'run', '/report'), isPrinted: true },
          ofSandbox('runs', 'standard', /^Runs/),
        ],
      },
    ],
  },
  installStory,
  standingInstallStory,
  {
    name: 'clusters that are no help',
    start: async () => {
      const odd = await oddServers();
      const refusing = await Promise.all([
        awkwardCluster('narrow-rights', { refused: ['nodes', 'configmaps'], hidden: ['goldmanes'] }),
        awkwardCluster('read-only', { may: 'read' }),
        awkwardCluster('read-only-3.30', { may: 'read', differs: { calico: 'v3.30.7' } }),
      ]);
      return {
        kubeconfig: [odd, ...refusing].map(({ kubeconfig }) => kubeconfig).join(':'),
        end: () => {
          odd.close();
          for (const each of refusing) void each.close();
        },
      };
    },
    chapters: [
      {
        happens: async () => undefined,
        scenes: [
          {
            name: 'clusters, not asked',
            // The page has loaded once the slowest was given up.
            arrive: async (page) => void (await page.goto('/')),
          },
          {
            name: 'clusters, not reachable',
            arrive: async (page) => {
              await page.goto('/');
              const ask = page.getByRole('button', { name: 'Ask this cluster' });
              await page.getByRole('link', { name: 'staging', exact: true }).waitFor();
              await page.waitForTimeout(1500);
              for (let left = await ask.count(); left > 0; left--) {
                await ask.first().click();
                await page.waitForTimeout(1500);
              }
              await page.waitForTimeout(2500);
            },
          },
          {
            name: 'dashboard, without rights',
            arrive: async (page) => {
              await openCluster(page, mouse, 'narrow-rights');
              await page.getByText('The nodes could not be read', { exact: true }).waitFor();
            },
          },
          {
            name: 'findings, refused',
            arrive: async (page) => {
              await openCluster(page, mouse, 'narrow-rights');
              await page.goto(`${new URL(page.url()).pathname}/findings`);
              await page.locator('summary[data-line="cause"]').first().click();
            },
          },
          {
            name: 'ready, without rights',
            arrive: async (page) => {
              await openCluster(page, mouse, 'narrow-rights');
              await page.getByRole('button', { name: 'Enable eBPF' }).click();
              await atStep(page, 'ready');
              await page.getByRole('heading', { name: 'Not read' }).waitFor();
            },
          },
          {
            name: 'ready, tests without rights',
            arrive: async (page) => {
              await openCluster(page, mouse, 'read-only');
              await page.getByRole('button', { name: 'Enable eBPF' }).click();
              await atStep(page, 'ready');
              await page.getByRole('region', { name: 'Not tested' }).waitFor();
              await page.waitForTimeout(1500);
            },
          },
          ...(['changes', 'afterwards', 'compatibility', 'review'] as const).map((step) => ({
            name: `upgrade, ${step} without rights`,
            arrive: async (page: Page) => {
              await openCluster(page, mouse, 'read-only-3.30');
              await page.getByRole('button', { name: /^Upgrade Calico to / }).click();
              await atStep(page, 'ready');
              await page.goto(page.url().replace(/ready$/, step));
              await page.getByRole('heading', { level: 1 }).waitFor();
              await page.waitForTimeout(2500);
            },
          })),
          {
            name: 'flows, without rights',
            arrive: async (page) => {
              await openCluster(page, mouse, 'narrow-rights');
              await page.goto(`${new URL(page.url()).pathname}/flows`);
              await page.getByRole('heading', { name: 'A right is missing' }).waitFor();
            },
          },
          ...['staging', 'prod-us-1', 'prod-eu-1'].map((name) => ({
            name: `dashboard, ${{ staging: 'unreachable', 'prod-us-1': 'refused', 'prod-eu-1': 'slow' }[name]}`,
            arrive: async (page: Page) => {
              await page.goto('/');
              await page.getByRole('link', { name, exact: true }).click();
              await page.getByRole('heading', { level: 1, name }).waitFor();
              await page.waitForTimeout(1500);
            },
          })),
        ],
      },
    ],
  },
  resourcesStory,
  verifiedStory,
];
