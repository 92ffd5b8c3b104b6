'use client';

import { useRouter } from 'next/navigation';
import { useActionState, useEffect, useState } from 'react';
import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { unreachableAsFailure } from '#components/ui/call/unreachable-as-failure.ts';
import { ClusterNameField } from '#components/ui/cluster-name-field.tsx';
import { Notice } from '#components/ui/notice.tsx';

const words = { resume: 'Continue the run', undo: 'Undo the run' } as const;

/** Carries on exactly the run that is shown, once the cluster's name was typed. */
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
  const { takeUpRun } = useActions();
  const [answer, takeUp, isPending] = useActionState(unreachableAsFailure(takeUpRun), null);
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
