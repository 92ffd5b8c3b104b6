/**
 * `npm run shots [-- FILTER… --all]`: every screen in every state from the real console on a production build, into `shots/`, with contact sheets. Each scene
 * is taken once, by turns in one theme and width or another; `--all` takes each in all of them, which is for the screen that one works on, and
 * `--look dark-320`, as often as wanted, in those that are named. A filter is how a scene's name begins. `npm run shots -- readme` takes the picture of the README.
 * SIGNALBOX_BUILD names a build that is used as it is.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { closeBrowser } from '#e2e/browser/testing/browser.ts';
import { cableTo } from '#e2e/browser/testing/cable.ts';
import { startConsole } from '#e2e/browser/testing/console-process.ts';
import { type APage, openPage, type Theme } from '#e2e/browser/testing/open-page.ts';
import { inParallel } from '#lib/base/async/in-parallel.ts';
import { duration } from '#lib/base/words.ts';
import { makeReady } from '../../scripts/start/make-ready.mjs';
import { contactSheets, type Shot } from './contact-sheets.ts';
import { takeReadmePicture } from './readme-picture.ts';
import { stories } from './scenes.ts';
import type { Scene, Stage, Story } from './story.ts';

type Look = { readonly theme: Theme; readonly width: number; readonly height: number };

const looks: readonly Look[] = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 390, height: 844 },
  { theme: 'dark', width: 390, height: 844 },
];
const broad: readonly Look[] = [
  { theme: 'light', width: 1920, height: 1080 },
  { theme: 'dark', width: 2560, height: 1440 },
];

/** A4 without Chromium's margins of 0.4 inches, at 96 px an inch. */
const paper: Look = { theme: 'light', width: 717, height: 1046 };

/** Stories mostly wait: for a run, a read, a line that comes. Each has a console of its own, so they do not see each other. */
const storiesAtOnce = 3;

/** A scene that waits for words which have changed fails soon, and costs the others nothing. */
const sceneGivenUpAfterMs = 45_000;
const slowestShown = 8;

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'shots');
const { positionals: filters, values: asked } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, look: { type: 'string', multiple: true } },
});
const named = asked.look?.map(lookNamed);
const isWanted = ({ name }: Scene) => filters.length === 0 || filters.some((filter) => name.startsWith(filter));
/** Seconds, by what took them. */
const took = new Map<string, number>();
const build = process.env.SIGNALBOX_BUILD ? resolve(process.env.SIGNALBOX_BUILD) : await makeReady();

if (filters[0] === 'readme') {
  console.log(await takeReadmePicture(build, join(root, 'docs', 'console.png')));
} else {
  if (filters.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const began = performance.now();
  const shots = (await inParallel(stories, storiesAtOnce, tell)).flat();
  if (shots.length === 0) console.log(`No scene is called so. There are:\n${stories.flatMap(names).join('\n')}`);
  else {
    for (const twins of twinsIn(shots)) console.log(`Equal, one is enough: ${twins.join(' · ')}`);
    console.log(
      `${shots.length} pictures in ${duration(secondsSince(began))}; most took ${longest()}. Look at\n${(await contactSheets(folder, shots)).join('\n')}`,
    );
  }
}
await closeBrowser();

function names({ chapters }: Story): string[] {
  return chapters.flatMap(({ scenes }) => scenes.map(({ name }) => name));
}

/** Scenes whose pictures are the same to the byte in one look. */
function twinsIn(shots: readonly Shot[]): string[][] {
  const same = Map.groupBy(shots, ({ look, file }) => {
    return `${look} ${createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')}`;
  });
  return [...same.values()]
    .filter((one) => one.length > 1)
    .map((one) => one.map(({ scene, look }) => `${scene}, ${look}`));
}

/** The slowest scenes, with the preparations before them, for the last line of the output. */
function longest(): string {
  const most = [...took].sort(([, one], [, other]) => other - one).slice(0, slowestShown);
  return most.map(([name, seconds]) => `${name} (${duration(seconds)})`).join(', ');
}

function secondsSince(ms: number): number {
  return (performance.now() - ms) / 1000;
}

/** Plays a story as far as anything in it is wanted. */
async function tell(story: Story): Promise<Shot[]> {
  const shots: Shot[] = [];
  try {
    await play(story, shots);
  } catch (error) {
    // The others go on: what was taken is worth looking at.
    console.error(`${story.name}: ${error instanceof Error ? error.stack : error}`);
    process.exitCode = 1;
  }
  return shots;
}

async function play(story: Story, shots: Shot[]): Promise<void> {
  const last = story.chapters.findLastIndex(({ scenes }) => scenes.some(isWanted));
  if (last < 0) return;
  const { end, ...options } = await story.start();
  const console_ = await startConsole({ ...options, build });
  const cable = await cableTo(console_);
  const stage: Stage = { console: console_, cable, memory: new Map() };
  const browsers: Browsers = new Map();
  try {
    const hand = await openPage(console_, { through: cable });
    for (const { happens, scenes } of story.chapters.slice(0, last + 1)) {
      const began = performance.now();
      await happens(hand.page, stage);
      took.set(`before “${scenes[0]?.name ?? story.name}”`, secondsSince(began));
      await hand.page.goto('about:blank');
      for (const scene of scenes.filter(isWanted)) shots.push(...(await take(scene, stage, browsers)));
    }
    await hand.context.close();
    for (const { context } of browsers.values()) await context.close();
  } finally {
    cable.close();
    await console_.close();
    if (options.state !== undefined) rmSync(options.state, { recursive: true, force: true });
    end?.();
  }
}

/** Browsers of one story by theme and session: what one page loaded and compiled, the next one has. Each scene has a tab of its own. */
type Browsers = Map<string, APage>;

async function newTab(browsers: Browsers, { console, cable }: Stage, theme: Theme, session: 'signed-in' | 'none') {
  const key = `${theme} ${session}`;
  const known = browsers.get(key) ?? (await openPage(console, { theme, through: cable, session }));
  browsers.set(key, known);
  const { context, faults } = known;
  const page = await context.newPage();
  const before = faults.list().length;
  return { page, faults: () => faults.list().slice(before) };
}

/** A look by its name: `dark-320`. Throws a sentence for whoever typed it. */
function lookNamed(name: string): Look {
  const [, theme, width] = /^(light|dark)-(\d{3,4})$/.exec(name) ?? [];
  if (theme !== 'light' && theme !== 'dark')
    throw new Error(`--look ${name}: a look is called as light-1440 or dark-320`);
  const height = Number(width) < 600 ? 844 : Math.round((Number(width) * 9) / 16);
  return { theme, width: Number(width), height };
}

/** By turns: neighbours are mostly states of one screen, which is so seen in each look. */
function looksOf({ name, isAlsoBroad, isPrinted }: Scene): readonly Look[] {
  if (isPrinted) return [paper];
  if (named) return named;
  const all = isAlsoBroad ? [...looks, ...broad] : looks;
  const at = stories.flatMap(names).indexOf(name);
  return asked.all ? all : all.slice(at % all.length).slice(0, 1);
}

async function take(scene: Scene, stage: Stage, browsers: Browsers): Promise<Shot[]> {
  const shots: Shot[] = [];
  const began = performance.now();
  for (const { theme, width, height } of looksOf(scene)) {
    const { page, faults } = await newTab(browsers, stage, theme, scene.session ?? 'signed-in');
    await page.setViewportSize({ width, height });
    page.setDefaultTimeout(sceneGivenUpAfterMs);
    if (scene.isPrinted) await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    const look = `${theme}-${width}`;
    const file = `${scene.name.replaceAll(/[^\w]+/g, '-')}-${look}.png`;
    try {
      await scene.arrive(page, stage);
      // On a busy machine a step is still a skeleton after the time that its scene gives it.
      await page.getByText('Reading the cluster.', { exact: false }).waitFor({ state: 'detached' });
    } catch (error) {
      console.error(`${scene.name}, ${look}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
    await picture(page, { width, height }, join(folder, file));
    if (scene.isPrinted) await page.pdf({ path: join(folder, file.replace(/png$/, 'pdf')), format: 'A4' });
    await scene.leave?.(stage);
    for (const fault of faults()) console.error(`${scene.name}, ${look}: ${fault.split('\n').slice(0, 3).join(' ')}`);
    await page.close();
    shots.push({ scene: scene.name, look, width, file });
  }
  took.set(scene.name, secondsSince(began));
  console.log(scene.name);
  return shots;
}

/** The whole page, in a window that is as high as it: what sticks to an edge is at its edge. */
async function picture(page: Page, { width, height }: { width: number; height: number }, path: string): Promise<void> {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, Math.min(whole, 6000)) });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(150);
  await page.screenshot({ path, animations: 'disabled' });
}
