import { KeyHint } from '#components/ui/rows/key-hint.tsx';

/** What the letters do on a line that has the focus; each presses what the opened line has for it. */
export const rowKeys: Readonly<Record<string, string>> = {
  f: 'add the fix to the plan',
  a: 'accept with a reason',
  c: 'check again',
};

/** Opens the line, and presses in it what the key names; where it has nothing for it, it is only opened. */
export function pressInRow(line: HTMLElement, key: string): void {
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
  return (
    <p className="hidden flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm text-ink-3 @[640px]:flex">
      <span>On a line:</span>
      <KeyHint keys={['j', 'k']} does="next, previous" />
      <KeyHint keys={['Enter']} does="open" />
      {letters.map((key) => (
        <KeyHint key={key} keys={[key]} does={rowKeys[key] ?? ''} />
      ))}
      <KeyHint keys={['1 – 7']} does="filter by state" />
    </p>
  );
}
