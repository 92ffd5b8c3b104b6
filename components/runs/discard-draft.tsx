'use client';

import { useActionState, useState } from 'react';
import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { unreachableAsFailure } from '#components/ui/call/unreachable-as-failure.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';

export function DiscardDraft({ cluster, draft, title }: { cluster: string; draft: string; title: string }) {
  const [isOpen, setOpen] = useState(false);
  const { discardDraft } = useActions();
  const [answer, discard, isPending] = useActionState(unreachableAsFailure(discardDraft), null);
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)} aria-label={`Discard: ${title}…`}>
        Discard…
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Discard these answers?">
        <p className="text-ink-2">{title}: what was answered is thrown away. Nothing of it has reached the cluster.</p>
        {answer !== null && !answer.ok && !isPending && (
          <div className="mt-3">
            <Notice state="bad" title={answer.message} />
          </div>
        )}
        <form action={discard} className="mt-5 flex flex-wrap justify-end gap-2">
          <input type="hidden" name="cluster" value={cluster} />
          <input type="hidden" name="draft" value={draft} />
          <Button onClick={() => setOpen(false)}>Keep them</Button>
          <Button kind="danger" type="submit" disabled={isPending}>
            Discard the answers
          </Button>
        </form>
      </Dialog>
    </>
  );
}
