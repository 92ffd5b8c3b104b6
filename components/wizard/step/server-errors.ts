'use client';

import { createContext, useContext } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Values } from '#lib/console/wizard/index.ts';

const Context = createContext<Record<string, string>>({});

/** The server's error sentences by field name. */
export const ServerErrors = Context.Provider;

/** A field's error: from the form's schema, or else from the server. */
export function useFieldError(name: string): string | undefined {
  const server = useContext(Context);
  const { errors, touchedFields, dirtyFields } = useFormContext<Values>().formState;
  const own = errors[name]?.message;
  if (own !== undefined) return own;
  return touchedFields[name] || dirtyFields[name] ? undefined : server[name];
}
