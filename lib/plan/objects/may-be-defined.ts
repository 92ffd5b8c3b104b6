/** Of Calico and its operator; Elastic’s and Prometheus’ come along with Calico Enterprise, whose logs and numbers they keep. */
const ourDefinitions =
  /\.(tigera\.io|projectcalico\.org|policy\.networking\.k8s\.io|k8s\.elastic\.co|monitoring\.coreos\.com)$/;

/** Whether a plan may define this kind: `ippools.crd.projectcalico.org`. */
export function mayBeDefined(name: string): boolean {
  return ourDefinitions.test(name);
}
