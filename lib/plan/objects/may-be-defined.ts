/** Groups of Calico and its operator; those of Elastic and Prometheus come with Calico Enterprise, for its logs and metrics. */
const ourDefinitions =
  /\.(tigera\.io|projectcalico\.org|policy\.networking\.k8s\.io|k8s\.elastic\.co|monitoring\.coreos\.com)$/;

/** Whether a plan may define this kind: `ippools.crd.projectcalico.org`. */
export function mayBeDefined(name: string): boolean {
  return ourDefinitions.test(name);
}
