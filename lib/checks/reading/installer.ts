import { z } from 'zod';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, type Installer, installerOf, platformIn } from '#lib/spec/index.ts';
import { agentNodes } from './nodes.ts';

const docSchema = z.object({ data: z.record(z.string(), z.string()) });

/** The tool that writes Calico's manifest on this cluster and would overwrite changes of others. Null: no known one, or no manifest. */
export function installerHere(facts: Facts, choices: Choices): Installer | null {
  const { method, manifest, agent } = facts.installation;
  if (method !== 'manifest-kdd' && method !== 'manifest-etcd') return null;
  if (manifest === 'canal' || manifest === 'canal-etcd') return installerOf('canal');
  if (platformIn(facts, choices) === 'kops') return installerOf('kops');
  const object = agent === null ? null : facts.resources.objects[agent];
  const { labels = {}, annotations = {} } = object?.metadata ?? {};
  if (Object.keys({ ...labels, ...annotations }).some((key) => key.startsWith('resources.gardener.cloud/')))
    return installerOf('gardener');
  if ('k0s.k0sproject.io/stack' in labels) return installerOf('k0s');
  if ('addon.kops.k8s.io/name' in labels) return installerOf('kops');
  if (isManifestOfMicroK8s(facts)) return installerOf('microk8s');
  return isOfKubespray(facts) ? installerOf('kubespray') : null;
}

const agentSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({ volumes: z.array(z.object({ hostPath: z.object({ path: z.string() }).optional() })) }),
    }),
  }),
});

/** Whether all nodes have MicroK8s' label, with or without Calico. All, as a kubelet may label its own node. */
export function isOfMicroK8s(facts: Facts): boolean {
  const nodes = agentNodes(facts);
  return (nodes.length > 0 && nodes.every(({ installer }) => installer === 'microk8s')) || isManifestOfMicroK8s(facts);
}

/** Whether the agents mount only folders of MicroK8s' snap (https://microk8s.io/docs/change-cidr; read 2026-11-23). */
function isManifestOfMicroK8s({ installation: { agent }, resources: { objects } }: Facts): boolean {
  const read = agentSchema.safeParse(agent === null ? null : objects[agent]);
  return (
    read.success &&
    read.data.spec.template.spec.volumes.some(({ hostPath }) => hostPath?.path.startsWith('/var/snap/microk8s/'))
  );
}

/** Whether kubespray made the cluster: it keeps kubeadm's certificates in another folder (kubespray › kube_cert_dir). */
export function isOfKubespray({ resources: { objects } }: Facts): boolean {
  const kubeadm = docSchema.safeParse(objects['kube-system/ConfigMap/kubeadm-config']);
  const configuration = kubeadm.success ? (kubeadm.data.data.ClusterConfiguration ?? '') : '';
  return /^certificatesDir:\s*"?\/etc\/kubernetes\/ssl"?\s*$/m.test(configuration.slice(0, 65_536));
}

/** The tool's own way to eBPF, in place of the operator's. */
export function ownWay({ title, steps, hasNoWay }: Installer): readonly string[] {
  return hasNoWay
    ? steps
    : [`${title} writes this manifest: make the switch there, and not by the operator.`, ...steps];
}

/** The step to move to the operator, for which Signalbox has no goal (docs.tigera.io › Migrate Calico to an operator-managed installation; read 2026-11-23). */
export const moveToOperator =
  'Move Calico to the operator first, as Calico describes: https://docs.tigera.io/calico/latest/operations/operator-migration. The nodes move one after the other, without a pause.';
