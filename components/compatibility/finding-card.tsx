import type { Draft } from '#lib/console/host.ts';
import type { FindingInState, StepPlace } from '#lib/console/wizard/index.ts';
import { FindingBody } from './finding-body.tsx';
import { FindingStateMark } from './finding-state-mark.tsx';

/** A whole finding, beside the question that it belongs to. */
export function FindingCard({ found, place, draft }: { found: FindingInState; place: StepPlace; draft: Draft }) {
  const { id, title } = found.finding;
  return (
    <article
      aria-labelledby={`finding-${id}`}
      className="@container border-t border-line px-4 py-3.5 first-of-type:border-t-0"
    >
      <div className="mb-1 flex items-start justify-between gap-4">
        <h3 id={`finding-${id}`} className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          {title}
        </h3>
        <span className="shrink-0 whitespace-nowrap">
          <FindingStateMark found={found} />
        </span>
      </div>
      <FindingBody found={found} place={place} draft={draft} />
    </article>
  );
}
