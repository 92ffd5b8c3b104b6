'use client';

import { useActionState } from 'react';
import { type ClusterAction, useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import type { Slug } from '#lib/console/host.ts';

/** A form, so that it works before any script has come. */
export function ActionButton({
  action,
  cluster,
  words,
  pending,
  kind,
  label,
}: {
  action: ClusterAction;
  cluster: Slug;
  words: string;
  pending: string;
  kind: 'plain' | 'primary';
  /** What tells it from others of the same words, for who hears the page; begins with `words`. */
  label?: string;
}) {
  const [failure, submit, isPending] = useActionState(useActions()[action].bind(null, cluster), null);
  return (
    <form action={submit} className="flex flex-col items-end">
      <Button type="submit" kind={kind} disabled={isPending} aria-label={isPending ? undefined : label}>
        {isPending ? pending : words}
      </Button>
      {failure && (
        <p role="alert" className="mt-1 max-w-[36ch] text-sm text-red">
          {failure.message}
        </p>
      )}
    </form>
  );
}
