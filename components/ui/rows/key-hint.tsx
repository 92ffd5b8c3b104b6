/** Keys, and what they do on the row that has the focus. */
export function KeyHint({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {keys.map((key) => (
        <kbd key={key} className="rounded border border-edge bg-sheet px-1 text-xs">
          {key}
        </kbd>
      ))}
      {does}
    </span>
  );
}
