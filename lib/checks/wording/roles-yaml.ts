import { type MissingRule, type RoleObject, roleObjects } from '#lib/spec/index.ts';

/** A command that makes them. `whose`: what asks for them, by which they are named: applied after another's, they leave those alone. */
export function grantCommand(whose: string, rules: readonly MissingRule[]): string {
  return `kubectl apply -f - <<'EOF'\n${rolesYaml(`signalbox-${whose}`, rules)}\nEOF`;
}

/** The rules as Roles in YAML, each where it is needed and no wider: a ClusterRole for what has no namespace, and a Role for each namespace. */
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
