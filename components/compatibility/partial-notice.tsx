import { Notice } from '#components/ui/notice.tsx';
import type { Facts } from '#lib/facts/index.ts';

/** Lists kinds that the API refused or does not serve, one line per reason. *Unknown* findings follow from these. */
export function PartialNotice({ facts }: { facts: Facts }) {
  const gaps = new Map<string, Set<string>>();
  for (const [key, { missing }] of Object.entries(facts.coverage)) {
    // The console probes the address itself; the endpoint's findings report it.
    if (key === 'endpointProbe') continue;
    for (const { kind, because, notAsked } of missing)
      if (!notAsked) gaps.set(kind, (gaps.get(kind) ?? new Set()).add(because));
  }
  if (gaps.size === 0) return null;
  const reasons = Map.groupBy([...gaps.keys()], (kind) => [...(gaps.get(kind) ?? [])].join('; '));
  return (
    <div className="mb-4">
      <Notice
        state="unknown"
        title={`${gaps.size === 1 ? 'One kind' : `${gaps.size} kinds`} of objects could not be read, so some checks are unknown.`}
      >
        <ul className="text-sm">
          {[...reasons].map(([because, kinds]) => (
            <li key={because} className="[overflow-wrap:anywhere]">
              <span className="text-ink">{kinds.join(', ')}</span>: {because}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
