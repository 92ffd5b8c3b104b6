import { z } from 'zod';
import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { names, type PlatformKind, platformOf } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { isOfMicroK8s } from '../reading/installer.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { kubeProxyAccountId, kubeProxyConfigId, kubeProxyId } from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';

/** The part of the DaemonSet that names its ConfigMaps: only one that it mounts can be missing. */
const daemonSetSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        serviceAccountName: z.string().catch('default'),
        volumes: z
          .array(
            z.object({
              configMap: z
                .object({ name: z.string().catch(''), optional: z.boolean().catch(false) })
                .optional()
                .catch(undefined),
            }),
          )
          .catch([]),
      }),
    }),
  }),
});

const byKubeadm = {
  step: 'Have kubeadm make all of it again, with the command below on a control plane node.',
  command: 'kubeadm init phase addon kube-proxy --kubeconfig /etc/kubernetes/admin.conf',
};

/** How a platform creates kube-proxy again, where the administrator does not do it by hand. */
const remake: Partial<Record<PlatformKind, { step: string; command?: string }>> = {
  kubeadm: byKubeadm,
  kind: byKubeadm,
  tkg: byKubeadm,
  eks: {
    step: 'Have the add-on of EKS make all of it again.',
    command: 'aws eks create-addon --addon-name kube-proxy --cluster-name NAME',
  },
  aks: {
    step: 'Ask the support of AKS for it: its add-on manager makes all of it, and only the provider reaches that.',
  },
};

export const proxyCanComeBack = defineCheck({
  id: 'proxy.can-come-back',
  group: 'Service proxy',
  severity: 'blocking',
  goals: ['undo'],
  reads: ['proxy', 'platform'],
  title: 'The service proxy can be turned on again',
  gap: 'The service proxy cannot come back',
  topic: 'Way back of the service proxy',
  ifIgnored: 'Services cannot be handed over',
  consequence:
    'Undo turns eBPF off only after the service proxy is back. Without the objects of the proxy, nothing can take the Services over.',
  remedy: {
    steps: ['Restore what is missing, from a backup or with the tool that created the cluster.', 'Check again.'],
    fixIn: 'proxy',
  },
  source: 'pain B5',
  run: (facts, choices) => {
    const platform = platformOf({ facts, choices });
    if (facts.proxy.kind === 'openshift' || platform.proxy.by === 'openshift') {
      return { kind: 'skipped', because: "OpenShift's network operator creates the proxy again." };
    }
    if (platform.proxy.by === 'instructions') {
      return {
        kind: 'skipped',
        because: `On ${platform.title} the proxy comes back where it was turned off, not through the API.`,
      };
    }
    if (isOfMicroK8s(facts))
      return { kind: 'skipped', because: 'MicroK8s runs kube-proxy in one process with the kubelet, not by the API.' };
    const { kind, running, evidence } = facts.proxy;
    if (kind === 'unknown' && running === true)
      return { kind: 'pass', because: `It runs: ${listed(evidence.map(({ object }) => object))}.`, evidence };
    const needed = neededBy(facts);
    const missing = needed.filter((object) => facts.resources.objects[object] === null);
    const unread = needed.filter((object) => facts.resources.objects[object] === undefined);
    // On an unknown platform the proxy may never have been a DaemonSet.
    if (platform.kind === 'generic' && missing.includes(kubeProxyId) && missing.includes(kubeProxyConfigId))
      return {
        kind: 'unknown',
        because:
          'The API shows no kube-proxy here, and none that was deleted; it may be a service of each node (systemd).',
        subjects: missing.map((object) => ({ ...objectSubject(object), detail: 'is not there' })),
        remedy: serviceOfNodes,
      };
    if (missing.length > 0) {
      const again = remake[platform.kind];
      return {
        kind: 'fail',
        because: `${listed(missing)} ${agreeing(missing.length, 'is', 'are')} gone, and the service proxy cannot start without ${agreeing(missing.length, 'it', 'them')}.`,
        subjects: missing.map((object) => ({ ...objectSubject(object), detail: 'is not there' })),
        ...(again ? { remedy: remadeBy(again) } : {}),
        evidence: missing.map((object) => ({ object, path: 'metadata.name', value: null })),
      };
    }
    if (unread.length > 0)
      return {
        kind: 'unknown',
        because: `Not read: ${listed(unread)}.`,
      };
    return { kind: 'pass', because: `${listed(needed)} ${agreeing(needed.length, 'is', 'are')} there.` };
  },
});

function remadeBy({ step, command }: { step: string; command?: string }): Remedy {
  return { ...proxyCanComeBack.remedy, steps: [step, 'Check again.'], ...(command ? { command } : {}) };
}

/** For a proxy that is a service of the nodes: no plan turns it off, so no undo turns it on (lib/plan/proxy/proxy-removal.ts). */
const serviceOfNodes: Remedy = {
  steps: [
    'Where kube-proxy is a service of each node and was turned off, start it on every node first: `systemctl enable --now kube-proxy`.',
    'Accept this once it runs on every node: from then on Services have something to be handed to.',
    'If kube-proxy was a DaemonSet that was deleted, restore it from a backup, and check again.',
  ],
};

function neededBy({ resources: { objects } }: Facts): string[] {
  const parsed = daemonSetSchema.safeParse(objects[kubeProxyId] ?? {});
  if (!parsed.success) return [kubeProxyId, kubeProxyConfigId, kubeProxyAccountId];
  const { volumes, serviceAccountName } = parsed.data.spec.template.spec;
  const mounts = volumes.some(({ configMap }) => configMap?.name === names.kubeProxyDaemonSet && !configMap.optional);
  return [
    kubeProxyId,
    ...(mounts ? [kubeProxyConfigId] : []),
    ...(serviceAccountName === names.kubeProxyDaemonSet ? [kubeProxyAccountId] : []),
  ];
}
