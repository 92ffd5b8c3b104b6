'use client';

import { useActionState } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { Failure } from '#lib/console/host.ts';

/** A form, so that it works before any script has come. */
export function ActionButton({
  action,
  words,
  pending,
  kind,
}: {
  action: (before: Failure | null) => Promise<Failure | null>;
  words: string;
  pending: string;
  kind: 'plain' | 'primary';
}) {
  const [failure, submit, isPending] = useActionState(action, null);
  return (
    <form action={submit} className="flex flex-col items-end">
      <Button type="submit" kind={kind} disabled={isPending}>
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
