import type { Mutation } from './mutations.ts';

/**
 * Fields whose absence is a statement of its own: an object without them is a valid one that says something else, so a finding may go
 * with them. Everything else that is taken away leaves a question open.
 */
type Silence = { readonly kind: RegExp; readonly path: RegExp; readonly checks: RegExp; readonly because: string };

const silences: readonly Silence[] = [];

export function maySilence(mutation: Mutation, check: string): boolean {
  if (mutation.do === 'remove-kind') return false;
  return silences.some(
    ({ kind, path, checks }) => kind.test(mutation.kind) && path.test(mutation.path) && checks.test(check),
  );
}
