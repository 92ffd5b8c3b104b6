import type { ReactNode } from 'react';

/** A link to the flows of a query, opened in place or in a new tab. `of`: its subject, for screen readers. */
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
