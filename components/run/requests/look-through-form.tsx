'use client';

import { useRouter } from 'next/navigation';
import { useActionState, useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ClusterNameField } from '#components/ui/cluster-name-field.tsx';
import { consoleGone } from '#components/ui/console-gone.ts';
import { failureOfCall } from '#components/ui/failure-of-call.ts';
import { Notice } from '#components/ui/notice.tsx';
import type { HostAnswer } from '#lib/console/host.ts';
import { takeUpRun } from './actions.ts';

const words = { resume: 'Carry the run on', undo: 'Undo the run' } as const;

/** Goes on with exactly what is shown, once the cluster's name was typed. */
export function LookThroughForm({
  cluster,
  run,
  how,
  digest,
  name,
}: {
  cluster: string;
  run: string;
  how: 'resume' | 'undo';
  digest: string;
  name: string;
}) {
  const router = useRouter();
  const [typed, setTyped] = useState('');
  const [answer, takeUp, isPending] = useActionState(takeUpOrSay, null);
  const page = answer?.ok ? `/clusters/${cluster}/runs/${answer.value.run}` : null;
  useEffect(() => {
    if (page !== null) router.push(page);
  }, [page, router]);
  const failure = answer !== null && !answer.ok && !isPending ? answer : null;
  const error = failure?.fields?.confirmation;
  return (
    <form action={takeUp} className="flex max-w-[64ch] flex-col gap-4" aria-label={words[how]}>
      {Object.entries({ cluster, run, how, digest }).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {failure && error === undefined && (
        <div role="alert">
          <Notice state="bad" title={failure.message} />
        </div>
      )}
      <ClusterNameField
        id="confirmation"
        label={
          <>
            {words[how]} on <code className="text-ink">{name}</code>: type the cluster's name
          </>
        }
        error={error}
        typed={typed}
        onType={setTyped}
      />
      <div>
        <Button kind={how === 'undo' ? 'danger' : 'primary'} type="submit" disabled={isPending || page !== null}>
          {words[how]}
        </Button>
      </div>
    </form>
  );
}

/** A console that is away must not take the page, and what was typed, with it. */
function takeUpOrSay(before: HostAnswer<{ run: string }> | null, form: FormData): Promise<HostAnswer<{ run: string }>> {
  return takeUpRun(before, form).catch((error: unknown) => failureOfCall(error, consoleGone));
}
