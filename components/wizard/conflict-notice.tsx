'use client';

import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Values } from '#lib/console/wizard/index.ts';
import type { Saving } from './step/autosave.ts';

/** Two tabs answered the same step. Nothing is chosen for the reader, and nothing typed is gone until they choose. */
export function ConflictNotice({
  saving,
  takeMine,
  takeTheirs,
}: {
  saving: Extract<Saving, { kind: 'conflict' }>;
  takeMine: () => void;
  takeTheirs: () => void;
}) {
  return (
    <div role="alert" className="mb-4">
      <Notice
        state="warn"
        title="This step was answered in another tab or browser while you typed."
        actions={
          <>
            <Button onClick={takeMine}>Use mine</Button>
            <Button onClick={takeTheirs}>Use theirs</Button>
          </>
        }
      >
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
          <dt>Mine</dt>
          <dd className="font-mono text-ink">{inWords(saving.mine)}</dd>
          <dt>Theirs</dt>
          <dd className="font-mono text-ink">{inWords(saving.theirs.values)}</dd>
        </dl>
      </Notice>
    </div>
  );
}

function inWords(values: Values): string {
  if (values.host !== undefined) return values.host === '' ? 'nothing' : `${values.host}:${values.port ?? ''}`;
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
