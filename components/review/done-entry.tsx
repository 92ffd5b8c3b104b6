import { StateMark } from '#components/ui/state-mark.tsx';
import type { PlannedOperation } from '#lib/plan/index.ts';

/** What is as it should be already: said, and not in the way. */
export function DoneEntry({ operation: { seq, title } }: { operation: PlannedOperation }) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-2 px-4 py-2.5 text-ink-3">
      <span className="text-right text-sm" aria-hidden="true">
        {seq}
      </span>
      <span className="flex flex-wrap justify-between gap-x-4 text-sm">
        {title}
        <StateMark state="ok">already done</StateMark>
      </span>
    </li>
  );
}
