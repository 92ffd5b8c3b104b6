'use client';

import type { ChangeEvent } from 'react';
import { useFormContext } from 'react-hook-form';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { describedBy, Field, inputLook } from '#components/ui/field.tsx';
import type { Values } from '#lib/console/wizard/index.ts';
import { useFieldError } from '../step/server-errors.ts';
import { useRegister } from '../step/use-register.ts';

/** A file of one's own in the place of the release's custom-resources.yaml, as `--custom-resources` on the command line; Calico Enterprise has one. */
export function OwnResources({ saved }: { saved: string }) {
  const { setValue } = useFormContext<Values>();
  const register = useRegister();
  const error = useFieldError('customResources');
  const hint =
    'Only resources of the operator: an Installation, which the next step starts from, and the objects beside it. The plan shows them and the journal keeps them, so do not include secrets.';
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined) return;
    const text = await file.text();
    setValue('customResources', text, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
  };
  return (
    <section>
      <Disclosure
        summary="Custom resources from a file, for Calico Enterprise"
        open={saved !== '' || error !== undefined}
      >
        <Field id="customResources" label="Custom resources, as YAML" hint={hint} error={error}>
          <textarea
            id="customResources"
            className={`${inputLook} h-48 font-mono text-sm`}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="Left empty: the release’s own custom-resources.yaml"
            defaultValue={saved}
            {...register('customResources')}
            {...describedBy('customResources', { hint, error })}
          />
        </Field>
        <label className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm noscript:hidden">
          Or read it from a file
          <input type="file" accept=".yaml,.yml,application/yaml" onChange={(event) => void read(event)} />
        </label>
      </Disclosure>
    </section>
  );
}
