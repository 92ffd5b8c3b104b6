/**
 * Whether a release belongs to one of RKE2's charts. RKE2's controller runs Helm with the values of a HelmChartConfig of the same name, and reverts any other
 * `helm upgrade` (docs.rke2.io › Helm Integration).
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
