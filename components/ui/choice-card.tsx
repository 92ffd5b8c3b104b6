import type { ComponentProps, ReactNode } from 'react';

/**
 * A radio button or checkbox whose whole card is its label. `because`: why it cannot be chosen. `proposed`: the reason for proposing it, which is shown.
 */
export function ChoiceCard({
  title,
  children,
  proposed,
  because,
  ...input
}: Omit<ComponentProps<'input'>, 'title' | 'children'> & {
  title: ReactNode;
  children?: ReactNode;
  proposed?: ReactNode;
  because?: ReactNode;
}) {
  return (
    <label
      className={`flex gap-3 rounded-md border border-line bg-sheet px-4 py-3 has-checked:border-blue has-checked:bg-blue-tint ${
        because === undefined ? 'hover:border-edge' : 'text-ink-3'
      }`}
    >
      <input className="mt-1 size-4 shrink-0 accent-blue" disabled={because !== undefined} {...input} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2 font-[560]">
          {title}
          {proposed !== undefined && (
            <span className="rounded border border-line bg-sheet px-1.5 text-xs font-medium text-ink-2">proposed</span>
          )}
        </span>
        {children !== undefined && <span className="block text-sm text-ink-2">{children}</span>}
        {proposed !== undefined && <span className="mt-1 block text-sm text-ink-2">{proposed}</span>}
        {because !== undefined && <span className="mt-1 block text-sm text-ink-2">{because}</span>}
      </span>
    </label>
  );
}
