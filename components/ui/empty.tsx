import type { ReactNode } from 'react';

/** An empty state: why there is nothing, and what to do. */
export function Empty({ title, children, actions }: { title: ReactNode; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="px-4 py-10 text-center">
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="mx-auto mt-1 max-w-[56ch] text-ink-2">{children}</div>}
      {actions !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
