'use client';

import { useEffect, useState } from 'react';

export const openPaletteEvent = 'signalbox:palette';

/** The button that opens the palette. Not rendered without script. */
export function OpenPalette() {
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => setKey(navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'), []);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      disabled={key === null}
      onClick={() => window.dispatchEvent(new Event(openPaletteEvent))}
      className="flex min-h-8 w-full items-center justify-between rounded-md px-2 py-1 text-left text-ink-2 hover:bg-line noscript:hidden"
    >
      Go to…
      <span className="min-w-12 text-right text-xs text-ink-3" aria-hidden="true">
        {key}
      </span>
    </button>
  );
}
