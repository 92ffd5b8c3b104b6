'use client';

import { createContext, useContext } from 'react';
import { useField } from './form-fields.ts';

type Sentences = Readonly<Record<string, string>>;

/** A constant: another object would render every field anew. */
export const noErrors: Sentences = {};

const Context = createContext<Sentences>(noErrors);

/** The server's error sentences by field name. */
export const ServerErrors = Context.Provider;

/** A field's error: from the form's schema, or else from the server. */
export function useFieldError(name: string): string | undefined {
  const server = useContext(Context);
  return useField(name, (seen) => seen.error(name) ?? (seen.isEdited(name) ? undefined : server[name]));
}
