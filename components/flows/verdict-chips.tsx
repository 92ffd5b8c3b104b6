import { thousands } from '#lib/base/words.ts';
import { type Flow, flowsFor, matchesQuery, type Query, queryText, type Term } from '#lib/flows/in-browser.ts';

type Chip = { readonly words: string; readonly term: Term | null };

const chips: readonly Chip[] = [
  { words: 'All', term: null },
  { words: 'Allowed', term: { not: false, key: 'verdict', verdict: 'allowed' } },
  { words: 'Denied', term: { not: false, key: 'verdict', verdict: 'denied' } },
  { words: 'Staged: would deny', term: { not: false, key: 'staged', verdict: 'denied' } },
];

/** Buttons for the verdict, which is part of the typed query. Counts are of `flows` that match the rest of the query; null: not counted. */
export function VerdictChips({
  flows,
  query,
  onQuery,
}: {
  flows: readonly Flow[] | null;
  query: Query;
  onQuery: (text: string) => void;
}) {
  const others = query.terms.filter(({ key }) => key !== 'verdict' && key !== 'staged');
  const chosen = query.terms.filter(({ key }) => key === 'verdict' || key === 'staged');
  const rest = flows && flowsFor(flows, { ...query, terms: others });
  const isChosen = ({ term }: Chip) =>
    term === null ? chosen.length === 0 : chosen.length === 1 && textOf(chosen) === textOf([term]);
  const countOf = ({ term }: Chip, among: readonly Flow[]) =>
    term === null ? among.length : among.filter((flow) => matchesQuery(flow, { terms: [term] })).length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-label="Filter by verdict" className="flex flex-wrap gap-1">
      {chips.map((chip) => (
        <button
          key={chip.words}
          type="button"
          aria-pressed={isChosen(chip)}
          onClick={() => onQuery(queryText({ ...query, terms: chip.term === null ? others : [...others, chip.term] }))}
          className="flex min-h-7 items-center gap-1.5 rounded-md border border-transparent px-2 text-sm text-ink-2 hover:bg-sunk aria-pressed:border-line aria-pressed:bg-sunk aria-pressed:text-ink"
        >
          {chip.words}
          {rest && (
            <>
              {' '}
              <span className="min-w-[5ch] text-left text-ink-3 tabular-nums">{thousands(countOf(chip, rest))}</span>
            </>
          )}
        </button>
      ))}
    </div>
  );
}

const textOf = (terms: readonly Term[]) => queryText({ terms, since: null, until: null });
