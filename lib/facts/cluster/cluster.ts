import { defineCollector } from '../collector.ts';
import { apiServerPods } from '../endpoint/api-server-pods.ts';
import { kubeadmConfigOf } from '../proxy/kubeadm.ts';
import { foundOr, uncovered } from '../reading/coverage.ts';
import { evidence } from '../reading/evidence.ts';
import { serverVersion } from '../reading/query.ts';
import { tracked } from '../reading/sources.ts';

/** The Kubernetes version: the server's own; in dumps the version of the API server's static pod, else kubeadm's. */
export const cluster = defineCollector({
  id: 'cluster',
  provides: ['cluster'],
  reads: { serverVersion, apiServerPods, kubeadmConfig: tracked.kubeadmConfig },
  collect: ({ serverVersion: server, apiServerPods: pods, kubeadmConfig }, facts) => {
    const running = pods.value.find(({ version }) => version !== null);
    const wanted = kubeadmConfigOf(kubeadmConfig.value)?.kubernetesVersion ?? null;
    const version = server.value ?? running?.version ?? wanted;
    const seen =
      version === null
        ? []
        : server.value !== null
          ? [evidence('APIServer', 'version.gitVersion', version)]
          : running
            ? [evidence(running.object, 'spec.containers[kube-apiserver].image', version)]
            : [
                evidence(
                  'kube-system/ConfigMap/kubeadm-config',
                  'data.ClusterConfiguration.kubernetesVersion',
                  version,
                ),
              ];
    return {
      cluster: { kubernetesVersion: version, evidence: [...facts.cluster.evidence, ...seen] },
      coverage: {
        cluster:
          version === null && server.missing.length === 0
            ? uncovered('version', 'nothing says which')
            : foundOr(version !== null, server),
      },
    };
  },
});
