import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';

/** A setting of a plan: its state, its meaning, and the `button` that changes it. */
export function SwitchPanel({ title, button, children }: { title: string; button: ReactNode; children: ReactNode }) {
  return (
    <Panel className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-2.5">
      <p className="min-w-0 flex-1 basis-72 text-sm text-ink-2">
        <b className="font-semibold text-ink">{title}</b> {children}
      </p>
      {button}
    </Panel>
  );
}
