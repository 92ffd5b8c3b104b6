/** A choice between a few values, as buttons side by side. */
export function Segments<T extends string | number>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  label: string;
  choices: readonly { readonly value: T; readonly words: string }[];
  chosen: T;
  onChoose: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-label={label} className="inline-flex rounded-md border border-edge bg-sheet">
      {choices.map(({ value, words }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className="min-h-7 px-2 text-sm max-[379px]:px-1.5 whitespace-nowrap text-ink-2 first:rounded-l-[5px] last:rounded-r-[5px] hover:bg-sunk aria-pressed:bg-blue-tint aria-pressed:font-[560] aria-pressed:text-blue"
        >
          {words}
        </button>
      ))}
    </div>
  );
}
