'use client';

import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { inList } from '#lib/base/words.ts';
import { fieldMeaning, type Values } from '#lib/console/wizard/index.ts';
import type { Saving } from './step/autosave.ts';

/** Shown if another tab has answered the same step: the user chooses, and typed text stays until then. */
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
          <dd className="font-mono text-ink [overflow-wrap:anywhere]">{inWords(saving.mine, saving.theirs.values)}</dd>
          <dt>Theirs</dt>
          <dd className="font-mono text-ink [overflow-wrap:anywhere]">{inWords(saving.theirs.values, saving.mine)}</dd>
        </dl>
      </Notice>
    </div>
  );
}

/** The differing answers in words. */
function inWords(values: Values, others: Values): string {
  if (values.host !== undefined) return values.host === '' ? 'nothing' : `${values.host}:${values.port ?? ''}`;
  const names = [...new Set([...Object.keys(values), ...Object.keys(others)])];
  const differ = names.filter((name) => (values[name] ?? '') !== (others[name] ?? ''));
  return inList(
    (differ.length > 0 ? differ : names).map((name) => `${fieldMeaning(name)}: ${values[name] || 'nothing'}`),
    mostListed,
  );
}

const mostListed = 6;
