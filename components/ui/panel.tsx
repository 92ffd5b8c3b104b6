import type { ReactNode } from 'react';

/** A panel with a title and a remark beside it. */
export function Panel({
  title,
  aside,
  children,
  className = '',
}: {
  title?: string;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`min-w-0 rounded-md border border-line bg-sheet ${className}`} aria-label={title}>
      {title !== undefined && (
        <header className="flex min-h-[41px] flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2.5">
          <h2 className="text-sm font-semibold text-ink-2">{title}</h2>
          {aside !== undefined && <div className="text-ink-3">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
