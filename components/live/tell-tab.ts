import type { State } from '#components/ui/state-mark.tsx';

/**
 * Sets the tab's title and a dot as its icon, until the returned function restores the page's own. Self-contained, because a test runs it in a browser.
 */
export function tellTab(title: string, state: State): () => void {
  // An element of our own in front of the page's: that one may not be there yet, and be the next page's before this one is removed. To write into it
  // and put back what stood there left tabs without a name.
  const own = document.createElement('title');
  own.textContent = title;
  // React takes the first title of the document for the page's, where it hydrates one (react-dom, hydrateHoistable), unless it has this attribute: it
  // would look for its own in vain when the page goes, and break.
  own.setAttribute('itemprop', 'name');
  const icons = new Map<HTMLLinkElement, string>();
  const show = () => {
    // Browsers use the first title and the last icon.
    if (document.head.querySelector('title') !== own) document.head.prepend(own);
    for (const icon of document.head.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) {
      if (!icons.has(icon)) icons.set(icon, icon.href);
      if (!icon.href.endsWith(`/state/${state}.svg`)) icon.href = `/state/${state}.svg`;
    }
  };
  show();
  // The page's own title and icon may be added later.
  const later = new MutationObserver(show);
  later.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => {
    later.disconnect();
    own.remove();
    for (const [icon, href] of icons) icon.href = href;
  };
}
