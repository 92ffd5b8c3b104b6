import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';

/** Names of the checks that are about to run, instead of a spinner. */
export function PendingFindings({ titles }: { titles: readonly string[] }) {
  return (
    <Panel>
      <ul aria-label="Checks that are running" aria-busy="true">
        {titles.map((title) => (
          <li
            key={title}
            className="flex items-start justify-between gap-4 border-t border-line px-4 py-2.5 first:border-t-0"
          >
            <span className="text-ink-2">{title}</span>
            <span className="shrink-0 animate-pulse">
              <StateMark state="idle">Reading</StateMark>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
