import { type MissingRule, resources } from '#lib/spec/index.ts';
import { probeNames } from './probe-names.ts';
import type { ProbeSettings } from './settings.ts';

/** The rights of a preflight beyond reading. Whoever may create pods in a namespace that allows privileged ones is root on every node. */
export function probeRules({ pullSecrets = [] }: Pick<ProbeSettings, 'pullSecrets'> = {}): MissingRule[] {
  const { namespace: own } = probeNames;
  const reading = pullSecrets.map(({ namespace, name }) => rule(resources.secrets, 'get', { namespace, name }));
  const copying = pullSecrets.length > 0 ? [rule(resources.secrets, 'create', { namespace: own })] : [];
  // For renewing the hold.
  return [...rulesFor(own), rule(resources.namespaces, 'patch', { name: own }), ...reading, ...copying];
}

/** The rights to create, follow and delete objects in a namespace of its own. */
export function rulesFor(namespace: string): MissingRule[] {
  return [
    rule(resources.namespaces, 'create'),
    rule(resources.namespaces, 'get', { name: namespace }),
    rule(resources.namespaces, 'delete', { name: namespace }),
    rule(resources.serviceAccounts, 'create', { namespace }),
    rule(resources.daemonSets, 'create', { namespace }),
    rule(resources.pods, 'list', { namespace }),
    { ...rule(resources.pods, 'get', { namespace }), subresource: 'log' },
  ];
}

function rule(
  { group, plural }: (typeof resources)['pods'],
  verb: string,
  where: { namespace?: string; name?: string } = {},
): MissingRule {
  return { verb, group, resource: plural, ...where };
}
