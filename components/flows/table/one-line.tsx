import { QueryLink } from './query-link.tsx';

/**
 * Names in a row that is as high as any other, whatever stands in it: one line, on a telephone three; the cell has the whole as its title. They lead to
 * their flows where a query says which.
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
