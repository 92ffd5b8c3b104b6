import type { UseFormReturn } from 'react-hook-form';
import { fieldName, type Values } from '#lib/console/wizard/index.ts';
import type { DecidedChange } from '#lib/plan/index.ts';

/** One answer to all of these changes, set and validated in one go: the form validates, tells and keeps all of its fields for each that is set alone. */
export function decideAll(
  { getValues, setValues, trigger }: Pick<UseFormReturn<Values>, 'getValues' | 'setValues' | 'trigger'>,
  changes: readonly Pick<DecidedChange, 'id'>[],
  decision: 'keep' | 'take',
): void {
  // The form compares all fields with its defaults for each that is set to its own.
  const others = changes.map(({ id }) => fieldName('decide', id)).filter((name) => getValues(name) !== decision);
  setValues(Object.fromEntries(others.map((name) => [name, decision])), { shouldDirty: true });
  void trigger();
}
