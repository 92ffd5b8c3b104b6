'use client';

import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Values } from '#lib/console/wizard/index.ts';

/** What is known of a form's fields at one moment. */
export type FieldsSeen = {
  /** undefined: neither stored nor given. */
  value(name: string): string | undefined;
  /** The form's own sentence, not the server's. */
  error(name: string): string | undefined;
  isEdited(name: string): boolean;
};

/** A form's fields; each has its own subscribers. */
export type FormFields = {
  readonly now: FieldsSeen;
  /** As the server rendered them. */
  readonly first: FieldsSeen;
  /** Calls `listener` after changes of this field, and after those of several fields at once. Returns how to end it. */
  subscribe(name: string, listener: () => void): () => void;
  /** A user's answer. An error that was shown is looked at again; none is shown before the field was left. */
  give(name: string, value: string): void;
  /** The user left the field. */
  leave(name: string): void;
};

/**
 * A step may have a thousand fields. Whatever reads the form's state from its context is rendered anew with all others after each answer, and each subscription at
 * the form gets a copy of all values after each change of several: so there is one subscription, and by its name a change reaches only the field that it is about.
 */
export function formFields(
  form: Pick<UseFormReturn<Values>, 'subscribe' | 'getValues' | 'getFieldState' | 'setValue' | 'trigger'>,
  shown: Values,
): FormFields {
  const listeners = new Map<string, Set<() => void>>();
  let end: (() => void) | null = null;
  const begin = () =>
    form.subscribe({
      formState: { values: true, errors: true, dirtyFields: true, touchedFields: true },
      callback: ({ name }) => {
        const concerned = name === undefined ? [...listeners.values()] : [listeners.get(name) ?? []];
        for (const each of concerned) for (const listener of each) listener();
      },
    });
  return {
    now: {
      value: (name) => form.getValues(name),
      error: (name) => form.getFieldState(name).error?.message,
      isEdited: (name) => {
        const { isDirty, isTouched } = form.getFieldState(name);
        return isDirty || isTouched;
      },
    },
    first: { value: (name) => shown[name], error: () => undefined, isEdited: () => false },
    subscribe: (name, listener) => {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      end ??= begin();
      return () => {
        if (!own.delete(listener) || own.size > 0) return;
        listeners.delete(name);
        if (listeners.size > 0) return;
        end?.();
        end = null;
      };
    },
    give: (name, value) => {
      const { invalid, isTouched } = form.getFieldState(name);
      form.setValue(name, value, { shouldDirty: true, shouldValidate: invalid || isTouched });
    },
    leave: (name) => void form.trigger(name, { shouldTouch: true }),
  };
}

const Context = createContext<FormFields | null>(null);

export const FormFieldsProvider = Context.Provider;

/** The same object for as long as the form is shown. */
export function useFormFields(): FormFields {
  const fields = useContext(Context);
  if (fields === null) throw new Error('A field of a step is outside of the step’s form.');
  return fields;
}

/** What `read` says about one field. Rendered anew only when that changes. */
export function useField<T extends string | boolean | undefined>(name: string, read: (seen: FieldsSeen) => T): T {
  const fields = useFormFields();
  return useSyncExternalStore(
    useCallback((listener: () => void) => fields.subscribe(name, listener), [fields, name]),
    () => read(fields.now),
    () => read(fields.first),
  );
}
