/**
 * The port of kube-proxy's `/healthz` (`healthzBindAddress`), which load balancers of cloud providers ask, and Felix' default for its own answer to them
 * (`bpfKubeProxyHealthzPort`, calico.md §5).
 */
export const kubeProxyHealthPort = 10256;
