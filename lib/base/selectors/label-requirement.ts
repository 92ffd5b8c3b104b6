/**
 * Whether a label meets a requirement of a selector (kubernetes.io › Labels and Selectors › Set-based requirement). `value`: the label's value; undefined: it
 * is absent. Returns null for an operator that label selectors do not have.
 */
export function meetsRequirement(
  { operator, values = [] }: { readonly operator: string; readonly values?: readonly string[] },
  value: string | undefined,
): boolean | null {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return null;
  }
}
