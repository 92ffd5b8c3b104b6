import { lazy, Suspense, useMemo, useState } from 'react';
import { Chevron } from '#components/ui/chevron.tsx';
import { endName, type Flow, type FlowEnd, workloadOf } from '#lib/flows/in-browser.ts';

/** In a script of its own, with what writes YAML. */
const Suggestion = lazy(async () => ({ default: (await import('./suggestion.tsx')).Suggestion }));

/** Opens a policy for the workload at this end, made from `seen`. No workload: nothing. */
export function SuggestButton({ end, seen }: { end: FlowEnd; seen: readonly Flow[] }) {
  const [isOpen, setOpen] = useState(false);
  const target = useMemo(() => workloadOf(end), [end]);
  if (target === null) return null;
  return (
    <div className="text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="inline-flex min-h-6 items-center gap-1 text-blue"
      >
        <Chevron look={isOpen ? 'rotate-90' : ''} />
        Suggest a policy<span className="sr-only">: {endName(end)}</span>
      </button>
      {isOpen && (
        <Suspense fallback={<p className="text-ink-2">Writing it…</p>}>
          <Suggestion flows={seen} target={target} />
        </Suspense>
      )}
    </div>
  );
}
