'use client';

import { useRouter } from 'next/navigation';
import { useActionState, useEffect, useState } from 'react';
import { type Started, useActions } from '#components/actions.tsx';
import { Button, ButtonLink } from '#components/ui/button.tsx';
import { ClusterNameField } from '#components/ui/cluster-name-field.tsx';
import { consoleGone } from '#components/ui/console-gone.ts';
import { callAction, failureOfCall } from '#components/ui/failure-of-call.ts';
import { Notice } from '#components/ui/notice.tsx';
import type { ShownPlan } from './shown-plan.ts';

export type StartFormProps = {
  cluster: string;
  draft: string;
  /** Where the answers are looked at again. */
  back: string;
  revision: number;
  planHash: string;
  shown: ShownPlan;
  /** What the button does: `Switch 14 nodes to eBPF`. */
  words: string;
  /** The name to type where traffic is touched or something cannot be undone; null where nothing is asked. */
  name: string | null;
};

/** Starts the run. What was typed stays through every answer; the page is left only when the answer is there. */
export function StartForm({ cluster, draft, back, revision, planHash, shown, words, name }: StartFormProps) {
  const router = useRouter();
  const [typed, setTyped] = useState('');
  const { startReviewed } = useActions();
  const [started, start, isPending] = useActionState<Started | null, FormData>(
    (before, form) =>
      // A console that is away must not take the page, and what was typed, with it.
      callAction(
        () => startReviewed(before, form),
        (error) => ({ answer: failureOfCall(error, consoleGone), changes: [] }),
      ),
    null,
  );
  const answer = started?.answer ?? null;
  const run = answer?.ok ? answer.value.run : null;
  const page = run === null ? null : `/clusters/${cluster}/runs/${run}`;
  useEffect(() => {
    if (page !== null) router.push(page);
  }, [page, router]);
  const failure = answer !== null && !answer.ok ? answer : null;
  const error = isPending ? undefined : failure?.fields?.confirmation;
  return (
    <form action={start} className="flex max-w-[64ch] flex-col gap-4" aria-label="Start">
      {Object.entries({ cluster, draft, revision, planHash, shown: JSON.stringify(shown) }).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {failure && error === undefined && !isPending && (
        <div role="alert">
          <Notice state={failure.code === 'plan.changed' ? 'warn' : 'bad'} title={failure.message}>
            {started !== null && started.changes.length > 0 && (
              <ul className="list-disc pl-5">
                {started.changes.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            )}
          </Notice>
        </div>
      )}
      {name !== null && (
        <ClusterNameField
          id="confirmation"
          label={
            <>
              {words} on <code className="text-ink">{name}</code>: type the cluster's name
            </>
          }
          error={error}
          typed={typed}
          onType={setTyped}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ButtonLink href={back}>Back</ButtonLink>
        <Button kind="primary" type="submit" disabled={isPending || page !== null}>
          {words}
        </Button>
        <p className="text-sm text-ink-2" aria-live="polite">
          {isPending && 'Reads the cluster once more and makes the plan again, then starts.'}
          {page !== null && 'Started.'}
        </p>
        {page !== null && <ButtonLink href={page}>Follow the run</ButtonLink>}
      </div>
    </form>
  );
}
