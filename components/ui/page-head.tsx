import type { ReactNode } from 'react';

/**
 * `actionsAt`: the side of the actions if there is no room for them beside the title. At the end, an action stays in place when one before it disappears.
 * Whether they are beside or below depends on the width only, never on the length of a text that changes later (a time that becomes relative).
 * `id="title"` gets the focus when a step of the wizard changes (WCAG 2.2, 2.4.3).
 */
export function PageHead({
  title,
  sub,
  actions,
  actionsAt = 'start',
}: {
  title: ReactNode;
  sub?: ReactNode;
  actions?: ReactNode;
  actionsAt?: 'start' | 'end';
}) {
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <h1 id="title" tabIndex={-1}>
          {title}
        </h1>
        {sub !== undefined && <p className="mt-0.5 text-ink-2">{sub}</p>}
      </div>
      {actions !== undefined && (
        <div className={`flex flex-wrap gap-2 ${actionsAt === 'end' ? 'ml-auto' : ''}`}>{actions}</div>
      )}
    </div>
  );
}
