/**
 * Whether Calico's operator manages the installation, be it installed by manifest or Helm; then an Installation configures it. `method`: the facts'
 * `installation.method`.
 */
export function isByOperator({ method }: { readonly method: string }): boolean {
  return method === 'operator' || method === 'helm';
}
