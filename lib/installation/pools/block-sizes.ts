import type { Family } from '#lib/base/ip.ts';

/** The operator's default sizes and limits (calico.md §2.3). */
export const blockSizes: Readonly<Record<Family, { usual: number; least: number; most: number }>> = {
  4: { usual: 26, least: 20, most: 32 },
  6: { usual: 122, least: 116, most: 128 },
};
