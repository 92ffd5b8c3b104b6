/**
 * Calico's operator keeps it, whether its manifest or Helm put that there: an Installation says what is asked of it. `method`: as the facts of an
 * installation have it.
 */
export function isByOperator({ method }: { readonly method: string }): boolean {
  return method === 'operator' || method === 'helm';
}
