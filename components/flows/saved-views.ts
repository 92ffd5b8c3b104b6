import { longestQuery } from '#lib/flows/in-browser.ts';

/** A named query. */
export type SavedView = { readonly name: string; readonly query: string };

const most = 50;

/** Parses stored views; invalid ones are ignored. */
export function readViews(text: string | null): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView).slice(0, most) : [];
  } catch {
    return [];
  }
}

/** Adds a view, sorted by name; replaces one of the same name. */
export function withView(views: readonly SavedView[], { name, query }: SavedView): readonly SavedView[] {
  const view = { name: name.trim(), query: query.trim() };
  return [...views.filter((one) => one.name !== view.name), view]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, most);
}

function isView(kept: unknown): kept is SavedView {
  if (typeof kept !== 'object' || kept === null || !('name' in kept) || !('query' in kept)) return false;
  const { name, query } = kept;
  return typeof name === 'string' && name !== '' && typeof query === 'string' && query.length <= longestQuery;
}
