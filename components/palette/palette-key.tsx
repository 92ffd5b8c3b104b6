'use client';

import { type ComponentType, useEffect, useRef, useState } from 'react';
import { openPaletteEvent } from './open-palette.tsx';

/** Opens the palette by Ctrl-K, Cmd-K or its button, and loads it then. */
export function PaletteKey() {
  const [open, setOpen] = useState(false);
  const [Palette, setPalette] = useState<ComponentType<{ open: boolean; onClose: () => void }> | null>(null);
  const isLoading = useRef(false);
  useEffect(() => {
    const show = () => {
      setOpen(true);
      if (isLoading.current) return;
      isLoading.current = true;
      import('./palette.tsx').then(
        (loaded) => setPalette(() => loaded.Palette),
        () => {
          isLoading.current = false;
        },
      );
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // An open dialog must be answered first.
      if (document.querySelector('dialog[open]') === null) show();
    };
    document.addEventListener('keydown', onKey);
    window.addEventListener(openPaletteEvent, show);
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener(openPaletteEvent, show);
    };
  }, []);
  return Palette && <Palette open={open} onClose={() => setOpen(false)} />;
}
