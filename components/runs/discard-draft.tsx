'use client';

import { useActionState, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { consoleGone } from '#components/ui/console-gone.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { failureOfCall } from '#components/ui/failure-of-call.ts';
import { Notice } from '#components/ui/notice.tsx';
import type { HostAnswer } from '#lib/console/host.ts';
import { discardDraft } from './actions.ts';

export function DiscardDraft({ cluster, draft, title }: { cluster: string; draft: string; title: string }) {
  const [isOpen, setOpen] = useState(false);
  const [answer, discard, isPending] = useActionState(discardOrSay, null);
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

function discardOrSay(before: HostAnswer<null> | null, form: FormData): Promise<HostAnswer<null>> {
  return discardDraft(before, form).catch((error: unknown) => failureOfCall(error, consoleGone));
}
