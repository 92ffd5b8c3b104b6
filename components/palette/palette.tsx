'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { Dialog } from '#components/ui/dialog.tsx';
import { inputLook } from '#components/ui/field.tsx';
import { foundPlaces } from './found-places.ts';
import type { Place } from './place.ts';

/** Opens clusters, pages, findings, nodes and the pages of actions. A combobox with a list (WAI-ARIA APG, editable combobox). */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Go to">
      <Search onClose={onClose} />
    </Dialog>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { places, isReading, problem } = usePlaces();
  const groups = useMemo(() => foundPlaces(places, typed), [places, typed]);
  const flat = groups.flatMap((group) => group.places);
  const at = Math.min(chosen, flat.length - 1);
  const active = flat[at];
  const optionId = (place: Place) => `${id}-${flat.indexOf(place)}`;
  const activeId = active && optionId(active);

  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    router.push(place.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && flat.length > 0) {
      event.preventDefault();
      setChosen((at + step + flat.length) % flat.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      go(active);
    }
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: a dialog that was asked for; its one field is what it is for.
        autoFocus
        role="combobox"
        aria-label="A cluster, page, finding, node or action"
        aria-expanded={flat.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="A cluster, page, finding, node or action"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className={inputLook}
      />
      <p role="status" className="mt-2 min-h-[18px] text-sm text-ink-2">
        {problem ??
          (flat.length > 0 ? (isReading ? 'Reading the cluster…' : '') : isReading ? 'Reading…' : 'No match.')}
      </p>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Places"
        className="mt-1 -mx-2 h-[min(24rem,55dvh)] overflow-y-auto"
      >
        {groups.map(({ group, places: shown, more }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox.
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <p id={`${id}-${group}`} className="px-2 pt-2 text-xs text-ink-3">
              {group}
              {more > 0 && `, ${more} more: type to narrow them`}
            </p>
            {shown.map((place) => (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field keeps the focus and the keys; the choice is its active descendant.
              <div
                key={`${place.href} ${place.title}`}
                id={optionId(place)}
                role="option"
                aria-selected={place === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => go(place)}
                className="flex min-h-8 cursor-pointer items-baseline justify-between gap-4 rounded-md px-2 py-1.5 hover:bg-sunk aria-selected:bg-blue-tint"
              >
                <span className="min-w-0 [overflow-wrap:anywhere]">{place.title}</span>
                <span className="max-w-[45%] truncate text-sm text-ink-2">{place.note}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

type Read = { places: readonly Place[]; isReading: boolean; problem: string | null };

/** The console's places at once, and those of the cluster once it was read. */
function usePlaces(): Read {
  const cluster = /^\/clusters\/([^/]+)/.exec(usePathname())?.[1];
  const [ofConsole, setOfConsole] = useState<readonly Place[] | 'failed' | null>(null);
  const [ofCluster, setOfCluster] = useState<readonly Place[] | 'failed' | null>(null);
  useEffect(() => {
    const loading = new AbortController();
    const tell = (set: typeof setOfConsole) => ({
      come: (places: readonly Place[]) => set(places),
      fail: () => loading.signal.aborted || set('failed'),
    });
    const [here, there] = [tell(setOfConsole), tell(setOfCluster)];
    placesAt('/api/places', loading.signal).then(here.come, here.fail);
    if (cluster === undefined) setOfCluster([]);
    else placesAt(`/api/places?cluster=${cluster}`, loading.signal).then(there.come, there.fail);
    return () => loading.abort();
  }, [cluster]);
  const parts = [ofCluster, ofConsole];
  return {
    places: parts.flatMap((part) => (Array.isArray(part) ? part : [])),
    isReading: parts.includes(null),
    problem: parts.includes('failed')
      ? 'The console did not answer: some places are missing. Close this and try again.'
      : null,
  };
}

async function placesAt(path: string, signal: AbortSignal): Promise<readonly Place[]> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return await answer.json();
}
