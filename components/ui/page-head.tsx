import type { ReactNode } from 'react';

/** `actionsAt`: where the actions stand when there is no room for them beside the title. At its end they stay where they are as others before them go. The actions stand beside or below by the room that there is, never by the length of a sentence that changes once it is here (a time that becomes relative). `id="title"`: where the focus goes when a step of the wizard changes (WCAG 2.2, 2.4.3). */
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
