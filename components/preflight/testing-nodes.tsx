'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useActions } from '#components/actions.tsx';
import { useLive } from '#components/live/use-live.ts';
import { StateIcon, StateMark } from '#components/ui/state-mark.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import { foldPreflight, type PreflightEvent, type PreflightView } from '#lib/console/wire.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/** With more nodes, reports are only counted. */
const mostNodes = 24;

/** Shows each node as it reports; after all have, refreshes the page with the results. */
export function TestingNodes({ place, view: first }: { place: StepPlace; view: PreflightView }) {
  const { view, connection } = useLive<PreflightView, PreflightEvent>(
    `/api/clusters/${encodeURIComponent(place.cluster)}/preflight`,
    first,
    foldPreflight,
  );
  const stop = useActions().stopPreflight.bind(null, place);
  const router = useRouter();
  const refreshed = useRef(false);
  useEffect(() => {
    if (view.ended === null || refreshed.current) return;
    refreshed.current = true;
    router.refresh();
  }, [view.ended, router]);

  const reported = new Set(view.reported);
  const waiting = view.nodes.filter((node) => !reported.has(node));
  const shown = view.nodes.length <= mostNodes ? view.nodes : waiting.slice(0, mostNodes);
  const words = `${thousands(reported.size)} of ${counted(view.nodes.length, 'node')} reported`;
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p role="status">
        <StateMark state="now">{view.ended === null ? words : 'Reading what they said…'}</StateMark>
      </p>
      <progress aria-label={words} max={view.nodes.length} value={reported.size} className="sr-only" />
      <ul aria-label="Nodes" className="grid grid-cols-[repeat(auto-fill,minmax(108px,1fr))] gap-1.5">
        {shown.map((node) => (
          <li
            key={node}
            className={`flex min-w-0 items-center justify-between gap-1 rounded-[5px] border px-[7px] py-1 text-xs ${reported.has(node) ? 'border-line' : 'border-dashed border-edge text-ink-3'}`}
          >
            <span className="truncate" title={node}>
              {node}
            </span>
            {reported.has(node) && <StateIcon state="ok" />}
            <span className="sr-only">{reported.has(node) ? 'reported' : 'has not reported yet'}</span>
          </li>
        ))}
      </ul>
      {connection.kind === 'stopped' && <p role="alert">{connection.problem.message}</p>}
      {view.ended === null && <PressForm action={stop}>Stop</PressForm>}
    </div>
  );
}
