/**
 * Which of these links stands for a page, and whether it is that page itself or what it belongs to; null: none. The first is a dashboard: it has the
 * drafts that are begun there, whose pages lie below those of runs, and nothing else below it.
 */
export function railPlace(path: string, links: readonly string[]): { at: number; is: 'page' | 'true' } | null {
  const here = links.indexOf(path);
  if (here >= 0) return { at: here, is: 'page' };
  if (ofDraft.test(path)) return { at: 0, is: 'true' };
  const within = links.findIndex((href, index) => index > 0 && path.startsWith(`${href}/`));
  return within < 0 ? null : { at: within, is: 'true' };
}

/** `…/runs/ID/STEP`, but for the two pages that a run has below its own. */
const ofDraft = /^\/clusters\/[^/]+\/runs\/[^/]+\/(?!report$|look-through$)[^/]+$/;
