'use client';

import { useState, useTransition } from 'react';
import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { consoleUnreachable } from '#components/ui/call/console-unreachable.ts';
import { callAction, failureOfCall } from '#components/ui/call/failure-of-call.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Failure, Slug } from '#lib/console/host.ts';

/** Resets a sandbox after a confirmation in place. */
export function ResetSandbox({ cluster, name }: { cluster: Slug; name: string }) {
  const { resetSandbox } = useActions();
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pending, begin] = useTransition();
  const reset = () =>
    begin(async () => {
      const answer = await callAction(
        () => resetSandbox(cluster),
        (error) => failureOfCall(error, consoleUnreachable),
      );
      setFailure(answer.ok ? null : answer);
      if (answer.ok) setOpen(false);
    });
  return (
    <>
      <Button
        aria-label={`Reset the sandbox ${name}`}
        onClick={() => {
          setFailure(null);
          setOpen(true);
        }}
      >
        Reset
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`Reset the sandbox ${name}?`}>
        <p className="text-ink-2">
          Its changes and the journals of its runs are deleted. The next use starts from the sample again.
        </p>
        {failure && (
          <div className="mt-4">
            <Notice state="bad" title="It was not reset">
              {failure.message}
            </Notice>
          </div>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Keep it</Button>
          <Button kind="danger" onClick={reset} disabled={pending}>
            {pending ? 'Resetting…' : `Reset ${name}`}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
