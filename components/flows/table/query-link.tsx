import type { ReactNode } from 'react';

/** Leads to the flows of a query: in place, or as any link in a tab of its own. `of`: what it is about, for who hears it alone. */
export function QueryLink({
  query,
  onQuery,
  of,
  children,
}: {
  query: string;
  onQuery: (text: string) => void;
  of?: string;
  children: ReactNode;
}) {
  return (
    <a
      href={`?q=${encodeURIComponent(query)}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onQuery(query);
      }}
      className="underline hover:no-underline"
    >
      {children}
      {of !== undefined && <span className="sr-only">: {of}</span>}
    </a>
  );
}
