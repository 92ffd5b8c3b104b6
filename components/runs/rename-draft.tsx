'use client';

import { useActionState, useState } from 'react';
import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { unreachableAsFailure } from '#components/ui/call/unreachable-as-failure.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, inputLook } from '#components/ui/field.tsx';

/** `name`: the user's name for it; null: none. `title`: its present title. */
export function RenameDraft({
  cluster,
  draft,
  name,
  title,
}: {
  cluster: string;
  draft: string;
  name: string | null;
  title: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const { renameDraft } = useActions();
  const rename = unreachableAsFailure(renameDraft);
  const [answer, save, isPending] = useActionState(async (before: Parameters<typeof rename>[0], form: FormData) => {
    const answered = await rename(before, form);
    if (answered.ok) setOpen(false);
    return answered;
  }, null);
  const field = `name-${draft}`;
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`Rename: ${title}…`}>
        Rename…
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Name this draft">
        <form action={save}>
          <input type="hidden" name="cluster" value={cluster} />
          <input type="hidden" name="draft" value={draft} />
          <Field
            id={field}
            label="Name"
            hint="If empty, its goal and start time name it."
            error={answer !== null && !answer.ok && !isPending ? answer.message : undefined}
          >
            <input
              id={field}
              name="name"
              defaultValue={name ?? ''}
              maxLength={60}
              autoComplete="off"
              className={inputLook}
            />
          </Field>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="primary" type="submit" disabled={isPending}>
              Save the name
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
