import type { z } from 'zod';
import type { accessSchema } from '#lib/facts/index.ts';

type Access = z.infer<typeof accessSchema>;
export type AccessRule = Omit<Access, 'allowed'>;

/** Verbs that RBAC cannot limit to named objects: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources */
const nameless: ReadonlySet<string> = new Set(['create', 'list', 'watch', 'deletecollection']);

/** The rules as one ClusterRole in YAML, verbs of the same resource joined. Namespaces are left out: a ClusterRole has none. */
export function clusterRoleYaml(name: string, rules: readonly AccessRule[]): string {
  const byResource = Map.groupBy(rules, ({ group, resource, subresource, name: object, verb }) =>
    JSON.stringify([
      group,
      subresource ? `${resource}/${subresource}` : resource,
      nameless.has(verb) ? null : (object ?? null),
    ]),
  );
  const lines = [...byResource].flatMap(([key, same]) => {
    const [group, resource, object] = JSON.parse(key) as [string, string, string | null];
    const verbs = [...new Set(same.map(({ verb }) => verb))].sort();
    return [
      `- apiGroups: [${scalar(group)}]`,
      `  resources: [${scalar(resource)}]`,
      ...(object === null ? [] : [`  resourceNames: [${scalar(object)}]`]),
      `  verbs: [${verbs.map(scalar).join(', ')}]`,
    ];
  });
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: ClusterRole',
    'metadata:',
    `  name: ${scalar(name)}`,
    'rules:',
    ...lines,
  ].join('\n');
}

/** JSON strings are YAML scalars: https://yaml.org/spec/1.2.2/#chapter-1-introduction-to-yaml */
function scalar(text: string): string {
  return JSON.stringify(text);
}
