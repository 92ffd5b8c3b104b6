import { QueryLink } from './query-link.tsx';

/**
 * Names in a row of fixed height: one line, on a telephone three; the cell's title has the full text. They link to their flows if a query selects these.
 */
export function OneLine({
  text,
  query,
  onQuery,
}: {
  text: string;
  query: string | null;
  onQuery: (query: string) => void;
}) {
  return (
    <span className="block font-mono text-xs sm:truncate max-sm:line-clamp-3 max-sm:min-h-12 max-sm:[overflow-wrap:anywhere]">
      {query === null ? (
        text
      ) : (
        <QueryLink query={query} onQuery={onQuery}>
          {text}
        </QueryLink>
      )}
    </span>
  );
}
