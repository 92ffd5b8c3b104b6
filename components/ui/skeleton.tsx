/** A placeholder for lines of text. `label`: what is awaited, for screen readers. */
export function Skeleton({
  label,
  widths,
}: {
  label: string;
  widths: readonly ('w-1/4' | 'w-1/3' | 'w-1/2' | 'w-2/3' | 'w-full')[];
}) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3 px-4 py-4">
      {widths.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity but their place.
        <span key={index} className={`block h-3 animate-pulse rounded bg-line ${width}`} />
      ))}
    </div>
  );
}
