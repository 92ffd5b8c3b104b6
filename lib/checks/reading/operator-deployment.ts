import { z } from 'zod';
import type { Facts } from '#lib/facts/index.ts';
import { names, objectId, resources } from '#lib/spec/index.ts';

/** The id of the operator's Deployment on this cluster. */
export function operatorDeploymentId({ installation }: Facts): string {
  return objectId({
    resource: resources.deployments,
    namespace: installation.endpointNamespace,
    name: names.operatorDeployment,
  });
}

/** The values in the published tigera-operator.yaml (calico.md §1.2). */
const asReleased = { dnsPolicy: 'ClusterFirstWithHostNet', nameservers: [] as string[] };

const podSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        dnsPolicy: z.string().catch('ClusterFirst'),
        dnsConfig: z.object({ nameservers: z.array(z.string()).catch([]) }).catch({ nameservers: [] }),
      }),
    }),
  }),
});

/** How the operator resolves names; `origin` is `released` if the operator is not installed yet. Null: unknown. */
export function operatorDns(
  facts: Facts,
): { dnsPolicy: string; nameservers: string[]; origin: 'read' | 'released' } | null {
  const object = facts.resources.objects[operatorDeploymentId(facts)];
  if (object === undefined) return null;
  if (object === null) return { ...asReleased, origin: 'released' };
  const parsed = podSchema.safeParse(object);
  if (!parsed.success) return null;
  const { dnsPolicy, dnsConfig } = parsed.data.spec.template.spec;
  return { dnsPolicy, nameservers: dnsConfig.nameservers, origin: 'read' };
}
