import type { UseFormReturn } from 'react-hook-form';
import { fieldName, type Values } from '#lib/console/wizard/index.ts';
import type { DecidedChange } from '#lib/plan/index.ts';

/** One answer to all of these changes, set and validated in one go: the form validates, tells and keeps all of its fields for each that is set alone. */
export function decideAll(
  { setValues, trigger }: Pick<UseFormReturn<Values>, 'setValues' | 'trigger'>,
  changes: readonly Pick<DecidedChange, 'id'>[],
  decision: 'keep' | 'take',
): void {
  setValues(Object.fromEntries(changes.map(({ id }) => [fieldName('decide', id), decision])), {
    shouldDirty: true,
    shouldTouch: true,
  });
  void trigger();
}
