'use client';

import { type RegisterOptions, type UseFormRegisterReturn, useFormContext } from 'react-hook-form';
import { useTakingOver } from '#components/ui/browser/use-take-over.ts';
import type { Values } from '#lib/console/wizard/index.ts';

/** `register` of the step's form, for fields that are on the page before the form is: it would set back what was chosen or typed until then. */
export function useRegister(): (
  name: string,
  options?: RegisterOptions<Values, string>,
) => UseFormRegisterReturn<string> {
  const { register } = useFormContext<Values>();
  const takingOver = useTakingOver();
  return (name, options) => {
    const field = register(name, options);
    return { ...field, ref: takingOver(field.ref) };
  };
}
