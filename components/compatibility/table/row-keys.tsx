/** What the letters do on a line that has the focus; each presses what the opened line has for it. */
export const rowKeys: Readonly<Record<string, string>> = {
  f: 'add the fix to the plan',
  a: 'accept with a reason',
  c: 'check again',
};

/** Opens the line, and presses in it what the key names; where it has nothing for it, it is only opened. */
export function press(line: HTMLElement, key: string): void {
  const row = line.closest('details');
  if (row === null) return;
  row.open = true;
  const found = row.querySelector<HTMLElement>(`[data-key="${key}"]`);
  const form = found?.closest('details');
  if (found instanceof HTMLInputElement && form) {
    form.open = true;
    requestAnimationFrame(() => found.focus());
  } else found?.click();
}

/** The keys, where the table ends. */
export function KeyHints({ keys: letters }: { keys: readonly string[] }) {
  const hint = (keys: readonly string[], does: string) => (
    <span key={does} className="inline-flex items-center gap-1.5">
      {keys.map((key) => (
        <kbd key={key} className="rounded border border-edge bg-sheet px-1 text-xs">
          {key}
        </kbd>
      ))}
      {does}
    </span>
  );
  return (
    <p className="hidden flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm text-ink-3 @[640px]:flex">
      <span>On a line:</span>
      {hint(['j', 'k'], 'next, previous')}
      {hint(['Enter'], 'open')}
      {letters.map((key) => hint([key], rowKeys[key] ?? ''))}
      {hint(['1 – 7'], 'filter by state')}
    </p>
  );
}
