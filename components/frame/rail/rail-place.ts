/**
 * The link for a page: `page` if it is the page itself, `true` if it is its section; null: none. The first link is the dashboard, which is also the section of
 * drafts, although their URLs are below those of runs.
 */
export function railPlace(path: string, links: readonly string[]): { at: number; is: 'page' | 'true' } | null {
  const here = links.indexOf(path);
  if (here >= 0) return { at: here, is: 'page' };
  if (ofDraft.test(path)) return { at: 0, is: 'true' };
  const within = links.findIndex((href, index) => index > 0 && path.startsWith(`${href}/`));
  return within < 0 ? null : { at: within, is: 'true' };
}

/** `…/runs/ID/STEP`, without the two subpages of a run. */
const ofDraft = /^\/clusters\/[^/]+\/runs\/[^/]+\/(?!report$|look-through$)[^/]+$/;
