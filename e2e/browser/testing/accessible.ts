import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { eventually } from '#e2e/cluster/testing/eventually.ts';

/** WCAG 2.2 AA and what came before it, and axe's own advice (landmarks, order of headings). */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose answer depends on colours (https://dequeuniversity.com/rules/axe/4.10). */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/**
 * Throws with every violation, the rule and the elements. The builder adds no element to the page: its policy stands as it is. (Legacy mode: there
 * are no frames of other origins, for which it would open a page of its own.) Elements that pass are not described.
 */
export async function expectAccessible(page: Page, rules: 'all' | 'colours' = 'all'): Promise<void> {
  // Between two pages the document has none for a moment.
  await eventually('the page to have a title', async () => (await page.title()) !== '');
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await (rules === 'all' ? axe.withTags(tags) : axe.withRules(aboutColours)).analyze();
  if (violations.length === 0) return;
  const lines = violations.flatMap(({ id, help, nodes }) => [
    `${id}: ${help}`,
    ...nodes
      .slice(0, 8)
      .map(({ html, failureSummary }) => `  ${html}\n    ${failureSummary?.replaceAll('\n', '\n    ')}`),
  ]);
  throw new Error(`${page.url()} is not accessible:\n${lines.join('\n')}`);
}

/** A page never scrolls sideways: only a table, a diff or a command may, in a box of its own. */
export async function expectNoSideways(page: Page): Promise<void> {
  const { wide, window, widest } = await page.evaluate(() => {
    const { clientWidth: width, scrollWidth: wide } = document.documentElement;
    // To ask every element what clips it takes longer than to draw the page.
    if (wide <= width) return { wide, window: width, widest: [] };
    const isClipped = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).overflowX !== 'visible' || isClipped(element.parentElement));
    const outside = [...document.querySelectorAll('body *')].filter((element) => {
      if (isClipped(element.parentElement)) return false;
      const { right, width: own } = element.getBoundingClientRect();
      return own > 0 && right > width + 1 && getComputedStyle(element).position !== 'fixed';
    });
    return {
      wide,
      window: width,
      // Those that hold no other: what is too wide itself, not what is around it.
      widest: outside
        .filter((element) => !outside.some((other) => other !== element && element.contains(other)))
        .slice(0, 5)
        .map((element) => `${element.outerHTML.slice(0, 200)} in ${element.parentElement?.outerHTML.slice(0, 120)}`),
    };
  });
  if (wide > window)
    throw new Error(`${page.url()} is ${wide} px wide in a window of ${window}:\n${widest.join('\n')}`);
}

/** Letters of a line above which the eye does not find the next one. */
const mostLetters = 160;

/** Every paragraph that is seen keeps a measure, however broad the window is. What is only heard has no width. */
export async function expectMeasure(page: Page): Promise<void> {
  const long = await page.evaluate((most) => {
    const lettersOfLine = (paragraph: Element) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      return (paragraph.textContent ?? '').length / Math.max(1, lines.size);
    };
    return [...document.querySelectorAll('main p')]
      .filter((one) => one.checkVisibility() && one.clientWidth > 1 && lettersOfLine(one) > most)
      .map((one) => `“${one.textContent?.slice(0, 100)}…”`);
  }, mostLetters);
  if (long.length > 0)
    throw new Error(`${page.url()} has lines of more than ${mostLetters} letters: ${long.join(', ')}`);
}

/** Who hears a page, or lists its controls, tells them apart by their names: no two buttons and no two links to different places are called the same. */
export async function expectNamesApart(page: Page): Promise<void> {
  const snapshot = await page.getByRole('main').ariaSnapshot();
  const buttons = [...snapshot.matchAll(/- button "((?:[^"\\]|\\.)+)"/g)].map(([, name = '']) => `button “${name}”`);
  const links = [...snapshot.matchAll(/- link "((?:[^"\\]|\\.)+)".*:\n\s+- \/url: (.+)/g)].map(
    ([, name = '', url]) => ({ name: `link “${name}”`, url }),
  );
  const apart = [...Map.groupBy(links, ({ name }) => name)].flatMap(([name, same]) =>
    new Set(same.map(({ url }) => url)).size > 1 ? [name, name] : [],
  );
  const twice = [...Map.groupBy([...buttons, ...apart], (name) => name)].filter(([, same]) => same.length > 1);
  if (twice.length > 0)
    throw new Error(`${page.url()} has controls that are called the same: ${twice.map(([name]) => name).join(', ')}`);
}
