import type { Locator, Page } from 'playwright-core';
import { eventually } from '#e2e/cluster/testing/eventually.ts';

const mostTabs = 150;

declare global {
  interface Window {
    /** The page on which a key was pressed last, and on what. Gone with the document. */
    pressedLast?: { readonly path: string; readonly what: string };
  }
}

/** Presses Tab until the focus is there. Throws when it never comes, or is where nobody can see it (WCAG 2.4.7, 2.4.11). */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await keptFocus(page);
  const passed: string[] = [];
  for (let pressed = 0; pressed < mostTabs; pressed++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
    const { where, seen } = await page.evaluate(focusNow);
    passed.push(where);
    if (seen !== 'seen') throw new Error(`the focus is on ${where}, ${seen}`);
  }
  throw new Error(`${target}: no Tab leads there; it passed\n${[...new Set(passed)].join('\n')}`);
}

/** Moves the focus to a button or link with Tab, and presses it with the key. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.evaluate(() => {
    window.pressedLast = { path: location.pathname, what: document.activeElement?.outerHTML.slice(0, 140) ?? '' };
  });
  await page.keyboard.press(key);
}

/** Waits until the focus is on the page again after the last press, unless the press led to another page. A lost focus would start from the top. */
async function keptFocus(page: Page): Promise<void> {
  const lostBy = () =>
    page.evaluate(() => {
      const { pressedLast: last, document, location } = window;
      return last?.path === location.pathname && document.activeElement === document.body ? last.what : null;
    });
  if ((await lostBy()) === null) return;
  await eventually(`the focus to be on the page again after ${await lostBy()}`, async () => (await lostBy()) === null);
}

/** Moves the focus to a field and replaces its text. */
export async function write(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

async function hasFocus(target: Locator): Promise<boolean> {
  if ((await target.count()) === 0) return false;
  return target.evaluate((element) => element === document.activeElement);
}

function focusNow(): { where: string; seen: string } {
  const element = document.activeElement;
  if (!element || element === document.body) return { where: 'the page', seen: 'seen' };
  const where = element.outerHTML.slice(0, 140);
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  // A radio button that is drawn by its label is a pixel large: the label is what is seen.
  if (width <= 1 || height <= 1) return { where, seen: 'seen' };
  const inside = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);
  const points = [0.1, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => [left + x * (right - left), top + y * (bottom - top)]),
  );
  const visible = points.some(([x = 0, y = 0]) => {
    if (x !== inside(x, 0, innerWidth - 1) || y !== inside(y, 0, innerHeight - 1)) return false;
    const hit = document.elementFromPoint(x, y);
    return (
      hit !== null &&
      (element.contains(hit) || hit.contains(element) || (hit instanceof HTMLLabelElement && hit.control === element))
    );
  });
  return { where, seen: visible ? 'seen' : 'which is out of sight or under something' };
}
