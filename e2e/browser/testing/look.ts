import type { Page } from 'playwright-core';
import { expectAccessible, expectMeasure, expectNamesApart, expectNoSideways } from './accessible.ts';

/**
 * The looks in which pages are checked: both themes on a desktop and on a telephone. Themes only change colours, so all rules are checked once at each width, and
 * only rules about colours in every look.
 */
const looks = [
  { colorScheme: 'light', width: 1440, height: 900, rules: 'all' },
  { colorScheme: 'dark', width: 1440, height: 900, rules: 'colours' },
  { colorScheme: 'dark', width: 390, height: 844, rules: 'all' },
  { colorScheme: 'light', width: 390, height: 844, rules: 'colours' },
] as const;

/** The narrowest screen that must show everything (WCAG 1.4.10). */
const narrowest = { width: 320, height: 568 };
/** The widest supported screen, where lines must not become too long. */
const widest = { width: 2560, height: 1200 };

const frameAtLatestMs = 2000;

/** `measure too`: also that lines can be read at 2560 px. */
type Asked = 'looks' | 'measure too';

/**
 * Checks the present page in each look: accessible, not wider than its window, and unique names of controls. Restores the window afterwards. Throws with all
 * violations, each once.
 */
export async function expectGoodLooks(page: Page, asked: Asked = 'looks'): Promise<void> {
  const before = page.viewportSize();
  const wrong = new Map<string, string>();
  const tell = (where: string) => (error: Error) => {
    if (!wrong.has(error.message)) wrong.set(error.message, where);
  };
  await page.evaluate(() => dispatchEvent(new Event('looks-begin')));
  for (const { colorScheme, rules, ...size } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    const where = `${colorScheme}, ${size.width} px`;
    await expectAccessible(page, rules).catch(tell(where));
    await expectNoSideways(page).catch(tell(where));
  }
  await expectNamesApart(page).catch(tell('any'));
  await page.setViewportSize(narrowest);
  await expectNoSideways(page).catch(tell(`${narrowest.width} px`));
  if (asked === 'measure too') {
    await page.setViewportSize(widest);
    await expectNoSideways(page).catch(tell(`${widest.width} px`));
    await expectMeasure(page).catch(tell(`${widest.width} px`));
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  await page.evaluate(async (atLatestMs) => {
    // Drawn as before: the first frame lays it out, the second comes after it was shown. The time limit: a page at rest answered
    // nothing here once, for 900 s and without using the processor, perhaps for want of a frame.
    for (const _ of [1, 2])
      await Promise.race([
        new Promise(requestAnimationFrame),
        new Promise((resolve) => setTimeout(resolve, atLatestMs)),
      ]);
    dispatchEvent(new Event('looks-end'));
  }, frameAtLatestMs);
  if (wrong.size > 0) throw new Error([...wrong].map(([message, where]) => `${where}: ${message}`).join('\n\n'));
}

/** Checks several pages and throws at the end, so that a violation on one does not hide those of the next. */
export function pageChecks(
  page: Page,
  asked: Asked = 'looks',
): { look: (screen: string) => Promise<void>; finish: () => void } {
  const wrong: string[] = [];
  return {
    look: (screen) =>
      expectGoodLooks(page, asked).catch((error: Error) => void wrong.push(`${screen}: ${error.message}`)),
    finish: () => {
      if (wrong.length > 0) throw new Error(wrong.join('\n\n'));
    },
  };
}
