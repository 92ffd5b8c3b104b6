'use client';

import { useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { type Theme, themeCookie, themeOf, themes } from './theme.ts';

const words: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };

export function ThemeSwitch({ initial }: { initial: Theme }) {
  const takeOver = useTakeOver();
  const [theme, setTheme] = useState(initial);
  const choose = (chosen: Theme) => {
    setTheme(chosen);
    document.documentElement.dataset.theme = chosen;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
    document.cookie = `${themeCookie}=${chosen}; path=/; max-age=31536000; samesite=strict`;
  };
  return (
    <label className="flex items-center justify-between gap-2 px-2 text-xs text-ink-3">
      Look
      <select
        ref={takeOver}
        autoComplete="off"
        value={theme}
        onChange={(event) => choose(themeOf(event.target.value))}
        className="min-h-6 rounded-md border border-line bg-sheet px-1 text-ink-2"
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {words[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
