'use client';

import { createContext, useContext } from 'react';
import { valueAt } from '#lib/base/records.ts';
import type { InstallationProblem, Path, Reason } from '#lib/installation/in-browser.ts';
import { type Spec, textAt } from './edit-spec.ts';

/** The document for the form: fields, problems and proposals. */
export type SpecEditing = {
  readonly spec: Spec;
  readonly proposed: Spec;
  readonly problems: readonly InstallationProblem[];
  readonly reasons: readonly Reason[];
  change(spec: Spec): void;
};

const Context = createContext<SpecEditing | null>(null);
export const SpecEditingProvider = Context.Provider;

export function useSpecEditing(): SpecEditing {
  const editing = useContext(Context);
  if (editing === null) throw new Error('a field of the Installation stands outside of its form');
  return editing;
}

/** What a field shows beside its value. */
export function useSpecField(path: Path) {
  const { spec, proposed, problems, reasons } = useSpecEditing();
  const here = problems.filter((one) => isSamePath(one.path, path));
  const isAsProposed = isSameValue(valueAt(spec, path), valueAt(proposed, path));
  return {
    id: fieldId(path),
    text: textAt(spec, path),
    error: here.find(({ severity }) => severity === 'error')?.words,
    warning: here.find(({ severity }) => severity === 'warning')?.words,
    because: isAsProposed ? reasons.find((one) => isSamePath(one.path, path))?.because : undefined,
  };
}

/** The id of a field's input, for links from problems. */
export function fieldId(path: Path): string {
  return ['spec', ...path].join('-');
}

function isSamePath(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((step, index) => step === right[index]);
}

function isSameValue(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
