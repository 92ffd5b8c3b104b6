import type { Locator, Page } from 'playwright-core';

/** Where lines have to break: a telephone, a tablet, a small desk. */
const widths = [390, 768, 1280];

/** A word, a flag with the hyphens that begin it, a name of a variable, or an IPv4 address with its port: nothing that a line may end in the middle of. Hyphens, dots and slashes of longer names part words. */
const whole = String.raw`\d+(?:\.\d+){3}(?::\d+)?|(?<!\S)--?[\p{L}\p{N}_]+|[\p{L}\p{N}_]+`;

/** Throws with each visible word that is broken over two lines, at the widths `at`. Restores the size of the window. */
export async function expectWholeWords(page: Page, where: Locator, at: readonly number[] = widths): Promise<void> {
  const before = page.viewportSize();
  // A page that streams may show a part of it first.
  await where.first().waitFor();
  await page.evaluate(() => dispatchEvent(new Event('looks-begin')));
  const broken: string[] = [];
  let seen = 0;
  for (const width of at) {
    await page.setViewportSize({ width, height: 900 });
    const found = await where.evaluateAll(brokenWithin, whole);
    seen += found.seen;
    broken.push(...found.broken.map((word) => `${width} px: ${word}`));
  }
  if (before) await page.setViewportSize(before);
  await page.evaluate(() => dispatchEvent(new Event('looks-end')));
  if (seen === 0) throw new Error(`${page.url()}: there are no words to look at`);
  if (broken.length > 0) throw new Error(`${page.url()} breaks words:\n${[...new Set(broken)].join('\n')}`);
}

/** Runs in the page. `seen`: words that were measured. */
function brokenWithin(elements: Element[], pattern: string): { seen: number; broken: string[] } {
  const broken: string[] = [];
  let seen = 0;
  for (const element of elements) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (!node.parentElement?.checkVisibility()) continue;
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(new RegExp(pattern, 'gu'))) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
        const [first] = boxes;
        if (first === undefined) continue;
        seen++;
        // Text for screen readers only is in a box of one pixel, where every word breaks.
        if (node.parentElement.closest('.sr-only') !== null) continue;
        if (boxes.some(({ top }) => Math.abs(top - first.top) > first.height / 2)) broken.push(word);
      }
    }
  }
  return { seen, broken };
}
