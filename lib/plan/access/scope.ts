import { kindNamed } from '#lib/calico-api/calico-kinds.ts';
import { derivedFrom } from '#lib/calico-api/derived-objects.ts';
import { isManifestInstall } from '#lib/checks/index.ts';
import { helmRecordNames, helmRecordResource } from '#lib/spec/index.ts';
import { calicoNamespace, felixResource, operatorNamespace, servicesOfDnsCaches } from '../objects/object-refs.ts';
import { customResourceRefs, definedGroups, definitionTargets } from '../objects/release-objects.ts';
import type { HelmRecords, PlanContext, RuleScope } from '../operation.ts';
import { workloadsToRoll } from '../upgrade/afterwards/sidecars.ts';
import {
  definitionsByHelm,
  type HelmRelease,
  isUpgradedByPlan,
  operatorReleases,
} from '../upgrade/helm/installed-by-helm.ts';
import { usualScope } from './rules.ts';

/** Where things are on this cluster, and what the plan brings, so that permissions name no more than that. */
export function scopeOf(
  known: Pick<PlanContext, 'facts'> & Partial<Pick<PlanContext, 'release' | 'choices'>>,
): RuleScope {
  const { release, choices } = known;
  const services = servicesOfDnsCaches(known);
  return {
    ...usualScope,
    operatorNamespace: operatorNamespace(known),
    calicoNamespace: calicoNamespace(known),
    ...helmScope(known),
    ...ownersScope(known),
    sidecars: workloadsToRoll(known.facts, release?.version ?? '').map(({ target }) => target),
    ...(services.length > 0 ? { dnsServices: services } : {}),
    felix: [felixResource(known)],
    ...(choices?.policy && { policy: choices.policy }),
    ...(release
      ? {
          definedGroups: definedGroups(release),
          definitions: definitionTargets(release).map(({ name }) => name),
          // A manifest installation has no operator, so it has no custom resources for one.
          customResources: isManifestInstall(known.facts) ? [] : customResourceRefs(release),
        }
      : {}),
  };
}

function helmScope({ facts }: Pick<PlanContext, 'facts'>): Pick<RuleScope, 'helmRecords' | 'definitionsRecords'> {
  // With two releases the answers decide which one a step is about, so neither is named.
  const [operator, other] = operatorReleases(facts);
  const definitions = facts.installation.method === 'helm' ? definitionsByHelm({ facts }) : null;
  return {
    ...(operator && !other && { helmRecords: recordsOf(operator) }),
    // A release that could not be read may be any.
    ...(definitions &&
      (definitions.values === null || isUpgradedByPlan(definitions)) && { definitionsRecords: recordsOf(definitions) }),
  };
}

function recordsOf({ name, namespace, revision, driver, values }: HelmRelease): HelmRecords {
  return {
    resource: helmRecordResource(driver),
    namespace,
    names: values === null ? null : helmRecordNames(name, revision),
  };
}

function ownersScope({ facts }: Pick<PlanContext, 'facts'>): Pick<RuleScope, 'owned' | 'owners'> {
  const { dependants } = facts.upgrade;
  if (dependants.length === 0) return {};
  const owned = new Map(dependants.map(({ resource }) => [`${resource.plural}.${resource.group}`, resource]));
  const kinds = new Set(dependants.flatMap(({ references }) => references.map(({ kind }) => kind)));
  const owners = [...kinds].map((kind) => kindNamed(kind)).flatMap((kind) => [kind?.shown, kind?.stored]);
  const sources = dependants.flatMap(({ namespace, references }) =>
    references.map(({ kind, name }) => derivedFrom(kind, name, namespace ?? undefined)?.resource),
  );
  return {
    owned: [...owned.values()],
    owners: [...new Set([...owners, ...sources])].filter((one) => one != null),
  };
}
