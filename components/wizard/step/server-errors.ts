'use client';

import { createContext, useContext } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Values } from '#lib/console/wizard/index.ts';

const Context = createContext<Record<string, string>>({});

/** Sentences of the server by the name of the field. */
export const ServerErrors = Context.Provider;

/** What is wrong with a field: by the form's own schema, else by the server's word on what was sent. */
export function useFieldError(name: string): string | undefined {
  const server = useContext(Context);
  const { errors, touchedFields, dirtyFields } = useFormContext<Values>().formState;
  const own = errors[name]?.message;
  if (own !== undefined) return own;
  return touchedFields[name] || dirtyFields[name] ? undefined : server[name];
}
