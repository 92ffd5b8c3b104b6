import { type FormEvent, useState } from 'react';
import { useRemembered } from '#components/ui/browser/use-remembered.ts';
import { Button } from '#components/ui/button.tsx';
import { MenuButton } from '#components/ui/menu-button.tsx';
import { readViews, withView } from './saved-views.ts';
import { QueryLink } from './table/query-link.tsx';

/** Named queries, stored in this browser; a link shares one. */
export function ViewsMenu({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const [views, setViews] = useRemembered('flow-views', readViews);
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    setViews(withView(views, { name, query }));
    setName('');
  };
  return (
    <MenuButton summary="Views" align="right">
      {(close) => (
        <div className="flex w-80 max-w-full flex-col gap-3">
          <p className="text-sm font-semibold text-ink-2">Saved views, kept in this browser</p>
          {views.length === 0 ? (
            <p className="text-sm text-ink-3">None yet. Filter, then save it under a name.</p>
          ) : (
            <ul className="flex max-h-64 flex-col gap-1 overflow-y-auto">
              {views.map((view) => (
                <li key={view.name} className="flex items-center justify-between gap-2">
                  <span className="min-w-0 break-words">
                    <QueryLink
                      query={view.query}
                      onQuery={(chosen) => {
                        onQuery(chosen);
                        close();
                      }}
                    >
                      {view.name}
                    </QueryLink>
                  </span>
                  <Button
                    kind="quiet"
                    aria-label={`Remove the view ${view.name}`}
                    onClick={() => setViews(views.filter((one) => one !== view))}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <form onSubmit={save} className="flex gap-2">
            <input
              aria-label="Name of the view"
              placeholder={query.trim() === '' ? 'Filter first' : 'Name of this filter'}
              value={name}
              maxLength={60}
              onChange={({ target }) => setName(target.value)}
              className="min-h-8 min-w-0 grow rounded-md border border-edge bg-sheet px-2.5 text-ink placeholder:text-ink-3"
            />
            <Button type="submit" disabled={name.trim() === '' || query.trim() === ''}>
              Save
            </Button>
          </form>
        </div>
      )}
    </MenuButton>
  );
}
