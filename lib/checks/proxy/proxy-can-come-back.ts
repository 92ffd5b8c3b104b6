import { z } from 'zod';
import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { names, type PlatformKind, platforms } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { kubeProxyAccountId, kubeProxyConfigId, kubeProxyId } from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';

/** What the DaemonSet itself needs to start: only a ConfigMap that it mounts can be missed. */
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

/** On a control plane node, or with the provider's own tool. */
const remake: Partial<Record<PlatformKind, string>> = {
  kubeadm: 'kubeadm init phase addon kube-proxy --kubeconfig /etc/kubernetes/admin.conf',
  kind: 'kubeadm init phase addon kube-proxy --kubeconfig /etc/kubernetes/admin.conf',
  eks: 'aws eks create-addon --addon-name kube-proxy --cluster-name NAME',
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
    'Undo turns eBPF off only after the service proxy is back. Without what the proxy is made of, Services could not be handed over.',
  remedy: {
    steps: [
      'Put back what is missing: on kubeadm `kubeadm init phase addon kube-proxy` makes all of it, elsewhere take it from your own records.',
      'Check again.',
    ],
    fixIn: 'proxy',
  },
  source: 'pain B5',
  run: (facts, choices) => {
    const platform = platforms[choices.platform ?? facts.platform.kind];
    if (facts.proxy.kind === 'openshift' || platform.proxy.by === 'openshift') {
      return { kind: 'skipped', because: "OpenShift's network operator makes the proxy anew." };
    }
    if (platform.proxy.by === 'instructions') {
      return {
        kind: 'skipped',
        because: `On ${platform.title} the proxy comes back where it was turned off, not through the API.`,
      };
    }
    const needed = neededBy(facts);
    const gone = needed.filter((object) => facts.resources.objects[object] === null);
    const unread = needed.filter((object) => facts.resources.objects[object] === undefined);
    if (gone.length > 0) {
      const command = remake[platform.kind];
      return {
        kind: 'fail',
        because: `${listed(gone)} ${agreeing(gone.length, 'is', 'are')} gone, and the service proxy cannot start without ${agreeing(gone.length, 'it', 'them')}.`,
        subjects: gone.map((object) => ({ ...objectSubject(object), detail: 'is not there' })),
        ...(command === undefined ? {} : { remedy: { ...proxyCanComeBack.remedy, command } }),
        evidence: gone.map((object) => ({ object, path: 'metadata.name', value: null })),
      };
    }
    if (unread.length > 0)
      return {
        kind: 'unknown',
        because: `Not read: ${listed(unread)}.`,
      };
    return { kind: 'pass', because: `${listed(needed)} are there.` };
  },
});

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
