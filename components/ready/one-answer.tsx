'use client';

import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { useAnsweredAction } from '#components/wizard/use-answered-action.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/** A finding that is answered with one press; `reason`: what is recorded for it, written from the draft of this `revision`. */
export function OneAnswer({
  place,
  revision,
  id,
  reason,
  words,
}: {
  place: StepPlace;
  revision: number;
  id: string;
  reason: string;
  words: string;
}) {
  const { answer, form, isPending } = useAnsweredAction(useActions().acknowledge.bind(null, place));
  return (
    <form {...form}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="reason" value={reason} />
      <input type="hidden" name="revision" value={revision} />
      <input type="hidden" name="plain" value="yes" />
      <Button type="submit" aria-disabled={isPending || undefined}>
        {words}
      </Button>
      {answer?.ok === false && (
        <p role="alert" className="mt-1 text-sm font-[560] text-red">
          {answer.message}
        </p>
      )}
    </form>
  );
}
