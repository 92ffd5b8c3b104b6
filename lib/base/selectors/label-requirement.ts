/**
 * Whether a label meets a requirement of a selector (kubernetes.io › Labels and Selectors › Set-based requirement). `value`: of the label; undefined: it
 * is not there. Null: an operator that selectors of labels do not have.
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
