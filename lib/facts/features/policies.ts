import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { anything, fields, listOf, text, textOrNumber } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';

const calicoPolicy = fields({
  metadata,
  spec: fields({
    ingress: listOf(fields({ action: text, protocol: textOrNumber, http: anything })),
    egress: listOf(fields({ action: text, protocol: textOrNumber, http: anything })),
  }),
});

const rulesWithPorts = listOf(fields({ ports: listOf(fields({ protocol: textOrNumber })) }));
const networkPolicy = fields({ metadata, spec: fields({ ingress: rulesWithPorts, egress: rulesWithPorts }) });

/** A rule of a policy. `path`: its place, `spec.ingress[2]`; `http`: it looks into requests. */
export type PolicyRule = {
  readonly path: string;
  readonly action: string;
  readonly protocol: string | null;
  readonly http: boolean;
};

export type Policy = {
  readonly name: string;
  readonly namespace: string | null;
  readonly rules: readonly PolicyRule[];
};

/** Names of Kubernetes' own policies in Calico's API; they are read from the Kubernetes API instead. */
const mirrored = /^knp\./;

/** A policy of Calico; null for one that mirrors a Kubernetes policy. */
export function readCalicoPolicy(object: KubeObject | ObjectMetadata): Policy | null {
  const { metadata: meta, spec } = calicoPolicy.parse(object);
  if (mirrored.test(meta.name)) return null;
  const rules = (['ingress', 'egress'] as const).flatMap((direction) =>
    spec[direction].map((rule, i) => ({
      path: `spec.${direction}[${i}]`,
      action: rule.action,
      protocol: rule.protocol === null ? null : String(rule.protocol),
      http: rule.http !== undefined && rule.http !== null,
    })),
  );
  return { name: meta.name, namespace: meta.namespace, rules };
}

/** A NetworkPolicy of Kubernetes as a policy with one rule for each port. */
export function readNetworkPolicy(object: KubeObject | ObjectMetadata): Policy {
  const { metadata: meta, spec } = networkPolicy.parse(object);
  const rules = (['ingress', 'egress'] as const).flatMap((direction) =>
    spec[direction].flatMap(({ ports }, i) =>
      ports.map((port, k) => ({
        path: `spec.${direction}[${i}].ports[${k}]`,
        action: '',
        protocol: port.protocol === null ? null : String(port.protocol),
        http: false,
      })),
    ),
  );
  return { name: meta.name, namespace: meta.namespace, rules };
}
