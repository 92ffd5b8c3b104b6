import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { theBrowser } from '#e2e/browser/testing/browser.ts';

export type Shot = { readonly scene: string; readonly look: string; readonly width: number; readonly file: string };

const sheetWidth = 1840;

/** Pictures side by side, so that a person sees all at once: one HTML file a look, and the same as PNGs that are small enough to be shown. */
export async function contactSheets(folder: string, shots: readonly Shot[]): Promise<string[]> {
  const files: string[] = [];
  const context = await (await theBrowser()).newContext({ viewport: { width: sheetWidth, height: 900 } });
  const page = await context.newPage();
  for (const [look, taken] of Map.groupBy(shots, (shot) => shot.look)) {
    const { columns, each } = (taken[0]?.width ?? 0) > 600 ? { columns: 3, each: 6 } : { columns: 6, each: 6 };
    writeFileSync(join(folder, `sheet-${look}.html`), sheet(look, taken, columns));
    for (let first = 0; first < taken.length; first += each) {
      const part = join(folder, `.part.html`);
      writeFileSync(part, sheet(look, taken.slice(first, first + each), columns));
      await page.goto(`file://${part}`);
      const file = join(folder, `sheet-${look}-${first / each + 1}.png`);
      await page.screenshot({ path: file, fullPage: true });
      files.push(file);
    }
  }
  await context.close();
  return files;
}

function sheet(look: string, shots: readonly Shot[], columns: number): string {
  const figures = shots.map(
    ({ scene, file }) => `<figure><figcaption>${scene}</figcaption><img src="${file}" alt=""></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${look}</title><style>
body { margin: 20px; font: 15px system-ui; background: #888; display: grid; grid-template-columns: repeat(${columns}, 1fr); gap: 16px; align-items: start }
figure { margin: 0 } figcaption { background: #fff; padding: 2px 8px } img { width: 100%; display: block }
</style>${figures.join('\n')}`;
}
