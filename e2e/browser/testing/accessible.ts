import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { eventually } from '#e2e/cluster/testing/eventually.ts';

/** axe as the builder's package brings it, minified. */
const source = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** JavaScript that does nothing, for a builder that has to run some. */
const nothing = ';';

/** WCAG 2.2 AA with earlier versions, and axe's best practices (landmarks, order of headings). */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules that depend on colours (https://dequeuniversity.com/rules/axe/4.10). */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/**
 * Throws with every violation, its rule and its elements. The builder adds no element to the page, so the page's Content-Security-Policy need not allow one.
 * (Legacy mode: the other mode opens a second page, for frames of other origins, which the console does not have.) Elements that pass are not listed.
 */
export async function expectAccessible(page: Page, rules: 'all' | 'colours' = 'all'): Promise<void> {
  // Between two pages the document has no title for a moment.
  await eventually('the page to have a title', async () => (await page.title()) !== '');
  const axe = new AxeBuilder({ page, axeSource: nothing }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  // axe stays in the document. Left to itself the builder runs its source twice for each look, and V8 compiles it again.
  if (!(await page.evaluate("typeof window.axe?.run === 'function'"))) await page.evaluate(source);
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
    // Searching all elements takes longer than rendering the page, so it is done only after a failure.
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
      // Only innermost elements, which are too wide themselves.
      widest: outside
        .filter((element) => !outside.some((other) => other !== element && element.contains(other)))
        .slice(0, 5)
        .map((element) => `${element.outerHTML.slice(0, 200)} in ${element.parentElement?.outerHTML.slice(0, 120)}`),
    };
  });
  if (wide > window)
    throw new Error(`${page.url()} is ${wide} px wide in a window of ${window}:\n${widest.join('\n')}`);
}

/** Most characters of a line that can be read comfortably. */
const mostLetters = 160;

/** Throws for visible paragraphs with lines that are too long in a wide window. */
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

/** Throws for buttons, or links to different pages, with the same accessible name. */
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
