/**
 * Releases of RKE2's own charts: its controller runs Helm with the values of a HelmChartConfig of the same name, so that nobody else's `helm upgrade`
 * lasts (docs.rke2.io › Helm Integration).
 */
export function isOfHelmController({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace: string;
}): boolean {
  return namespace === 'kube-system' && name.startsWith('rke2-');
}
