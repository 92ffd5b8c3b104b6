import { type MissingRule, type RoleObject, roleObjects } from '#lib/spec/index.ts';

/** A command that creates Roles with these rules. `whose` is part of their names, so that they do not replace those made for another purpose. */
export function grantCommand(whose: string, rules: readonly MissingRule[]): string {
  return `kubectl apply -f - <<'EOF'\n${rolesYaml(`signalbox-${whose}`, rules)}\nEOF`;
}

/** The rules as Roles in YAML, no wider than needed: one ClusterRole for rules without a namespace, and one Role for each namespace. */
function rolesYaml(name: string, rules: readonly MissingRule[]): string {
  return roleObjects(name, rules).map(yamlOf).join('\n---\n');
}

function yamlOf({ apiVersion, kind, metadata: { name, namespace }, rules }: RoleObject): string {
  const lines = rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) => [
    `- apiGroups: ${list(apiGroups)}`,
    `  resources: ${list(resources)}`,
    ...(resourceNames === undefined ? [] : [`  resourceNames: ${list(resourceNames)}`]),
    `  verbs: ${list(verbs)}`,
  ]);
  return [
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    'metadata:',
    `  name: ${scalar(name)}`,
    ...(namespace === undefined ? [] : [`  namespace: ${scalar(namespace)}`]),
    'rules:',
    ...lines,
  ].join('\n');
}

function list(words: readonly string[]): string {
  return `[${words.map(scalar).join(', ')}]`;
}

/** JSON strings are YAML scalars: https://yaml.org/spec/1.2.2/#chapter-1-introduction-to-yaml */
function scalar(text: string): string {
  return JSON.stringify(text);
}
