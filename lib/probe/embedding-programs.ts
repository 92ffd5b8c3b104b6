/**
 * Programs of distributions that may contain kube-proxy in their own process, by the name that the kernel shows; some append `-server` or `-agent`
 * (k3s-io/k3s pkg/cli/cmds, canonical/microk8s kubelite, k0sproject/k0s, kubernetes/kubernetes cluster/images/hyperkube; read 2026-11-23).
 */
export const embeddingPrograms: readonly string[] = ['k3s', 'kubelite', 'k0s', 'hyperkube'];
