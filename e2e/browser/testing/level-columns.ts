import type { Page } from 'playwright-core';

/** How far apart two columns may end (design › mock › NOTES.md), px. */
const mostApart = 40;

/** Throws if the panels that end two columns are not beside each other, or end far apart. */
export async function expectLevel(page: Page, left: string, right: string): Promise<void> {
  const [one, other] = await Promise.all(
    [left, right].map((name) => page.getByRole('region', { name, exact: true }).boundingBox()),
  );
  if (!one || !other) throw new Error(`${page.url()} lacks “${left}” or “${right}”`);
  if (other.x < one.x + one.width) throw new Error(`“${right}” is not beside “${left}” on ${page.url()}`);
  const apart = Math.round(Math.abs(one.y + one.height - (other.y + other.height)));
  if (apart > mostApart) throw new Error(`“${left}” and “${right}” end ${apart} px apart on ${page.url()}`);
}
