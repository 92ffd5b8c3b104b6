import type { Scene } from './story.ts';

const at = (name: string, path: string, label?: string): Scene => ({
  name,
  arrive: async (page) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (label !== undefined) await page.getByText(label).first().waitFor();
    await page.waitForTimeout(300);
  },
});

/** The product's tables, and who is signed in. */
export const referenceScenes: readonly Scene[] = [
  at('sessions', '/sessions'),
  at('reference', '/reference'),
  at('reference, platforms', '/reference/platforms'),
  at('reference, one platform', '/reference/platforms#kubeadm-ha'),
  at('reference, filtered', '/reference/platforms?q=bottlerocket'),
  at('reference, no row', '/reference/gates?q=nothing+at+all'),
  at('reference, gates', '/reference/gates'),
  at('reference, immutable', '/reference/immutable'),
  at('reference, kernels', '/reference/kernels'),
  at('reference, images', '/reference/images'),
];
