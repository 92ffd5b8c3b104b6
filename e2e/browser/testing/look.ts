import type { Page } from 'playwright-core';
import { expectAccessible, expectNoSideways } from './accessible.ts';

/** How every page is looked at: both themes on a desk and on a telephone. */
const looks = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 390, height: 844 },
  { colorScheme: 'light', width: 390, height: 844 },
] as const;

/** The narrowest screen on which nothing may be lost (WCAG 1.4.10). */
const narrowest = { width: 320, height: 568 };

/**
 * A page as it stands now, in each look: accessible, and never wider than its window. Afterwards it is as it was. Throws with everything that is
 * wrong, each thing once.
 */
export async function expectGoodLooks(page: Page): Promise<void> {
  const before = page.viewportSize();
  const wrong = new Map<string, string>();
  const tell = (where: string) => (error: Error) => {
    if (!wrong.has(error.message)) wrong.set(error.message, where);
  };
  for (const { colorScheme, ...size } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    const where = `${colorScheme}, ${size.width} px`;
    await expectAccessible(page).catch(tell(where));
    await expectNoSideways(page).catch(tell(where));
  }
  await page.setViewportSize(narrowest);
  await expectNoSideways(page).catch(tell(`${narrowest.width} px`));
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  if (wrong.size > 0) throw new Error([...wrong].map(([message, where]) => `${where}: ${message}`).join('\n\n'));
}

/** Looks at one page after the other, and throws only at the end: what is wrong on one screen hides nothing of the next. */
export function looker(page: Page): { look: (screen: string) => Promise<void>; finish: () => void } {
  const wrong: string[] = [];
  return {
    look: (screen) => expectGoodLooks(page).catch((error: Error) => void wrong.push(`${screen}: ${error.message}`)),
    finish: () => {
      if (wrong.length > 0) throw new Error(wrong.join('\n\n'));
    },
  };
}
