const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * The amount of a Kubernetes quantity, so that `1`, `1000m` and `"1"` are equal; null if it is not one. Amounts that differ by less than a billionth
 * count as equal. https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function quantity(value: unknown): number | null {
  const found = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i))?$/.exec(String(value));
  if (!found || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const [, digits, exponent, suffix] = found;
  const factor =
    exponent === undefined ? (suffix === undefined ? 1 : (factors[suffix] ?? Number.NaN)) : 10 ** Number(exponent);
  return Number((Number(digits) * factor).toPrecision(12));
}
