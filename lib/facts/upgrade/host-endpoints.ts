import { calicoSelector, type Labels } from '#lib/base/calico-selector.ts';
import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { names } from '#lib/spec/index.ts';
import { countingForms, inForms } from '../calico/forms.ts';
import { defineCollector } from '../collector.ts';
import { allOf, notShownOfEtcd } from '../reading/coverage.ts';
import { folded } from '../reading/query.ts';
import {
  globalNetworkPolicyListing,
  hostEndpointListing,
  kubeControllersConfiguration,
  nodeListing,
} from '../reading/sources.ts';
import type { Facts, Subject } from '../schema.ts';
import { calicoMetadata } from './calico-metadata.ts';

const endpoint = fields({ spec: fields({ interfaceName: textOrNull, node: textOrNull }) });
const configuration = fields({
  spec: fields({ controllers: fields({ node: fields({ hostEndpoint: fields({ autoCreate: textOrNull }) }) }) }),
});

type WouldSelect = Facts['upgrade']['hostEndpoints']['wouldSelect'];
type ByHand = Facts['upgrade']['hostEndpoints']['byHand'];

const counted = () => {
  let automatic = 0;
  const allInterfaces: Subject[] = [];
  const byHand: ByHand = [];
  return {
    each: (object: KubeObject | ObjectMetadata) => {
      const { name, labels } = calicoMetadata(object);
      if (labels[names.createdByLabel] === names.kubeControllersDeployment || name.endsWith('-auto-hep')) automatic++;
      else {
        const { interfaceName, node } = endpoint.parse(object).spec;
        const detail = `all interfaces of ${node ?? 'a node that it does not name'}`;
        if (interfaceName !== '*') return;
        allInterfaces.push({ kind: 'HostEndpoint', namespace: null, name, detail });
        byHand.push({ name, node, labels });
      }
    },
    result: () => ({ automatic, allInterfaces, byHand }),
  };
};

const policy = fields({
  spec: fields({ selector: textOrNull, namespaceSelector: textOrNull, serviceAccountSelector: textOrNull }),
});

/** Policies that also ask for a namespace or an account select pods alone. */
const selecting = () => {
  const found = new Map<string, string>();
  return {
    each: (object: KubeObject | ObjectMetadata) => {
      const { selector, namespaceSelector, serviceAccountSelector } = policy.parse(object).spec;
      if (!namespaceSelector && !serviceAccountSelector) found.set(calicoMetadata(object).name, selector ?? '');
    },
    result: () => [...found],
  };
};

const labelled = folded(nodeListing, () => {
  const nodes: { name: string; labels: Labels }[] = [];
  return {
    each: (object) => {
      const { name, labels } = metadata.parse(object.metadata);
      nodes.push({ name, labels });
    },
    result: () => nodes,
  };
});

const mostNamed = 20;

/** As Calico's controllers would label them: each node's own labels, and who made it (calico.md §7). What selects the old endpoint of a node already changes nothing. */
function wouldSelect(
  policies: readonly (readonly [policy: string, selector: string])[],
  nodes: readonly { name: string; labels: Labels }[],
  byHand: ByHand,
): WouldSelect {
  const earlier = Map.groupBy(byHand, ({ node }) => node);
  return policies.flatMap(([name, selector]): WouldSelect => {
    const matches = calicoSelector(selector);
    if (matches === null) return [{ policy: name, selector, nodes: null }];
    const selected = nodes.filter((node) => {
      const old = earlier.get(node.name) ?? [];
      if (old.some(({ labels }) => matches(labels))) return false;
      // Their labels come to the node first.
      const copied = Object.assign({}, ...old.map(({ labels }) => labels), node.labels) as Labels;
      return matches({ ...copied, [names.createdByLabel]: names.kubeControllersDeployment });
    });
    const first = selected.slice(0, mostNamed).map((node) => node.name);
    return selected.length === 0 ? [] : [{ policy: name, selector, nodes: { count: selected.length, first } }];
  });
}

/** Those that the controllers made, and those for all interfaces that people made by hand (calico.md §7). */
export const hostEndpoints = defineCollector({
  id: 'upgrade/host-endpoints',
  tells: ['hostEndpoints'],
  reads: {
    endpoints: inForms(hostEndpointListing, counted),
    configuration: kubeControllersConfiguration,
    policies: inForms(globalNetworkPolicyListing, selecting),
    nodes: labelled,
  },
  collect: ({ endpoints, configuration: read, policies, nodes }, facts) => {
    const counting = countingForms(endpoints, facts);
    const isLeftover =
      facts.installation.method === 'manifest-etcd' && !read.value?.apiVersion.startsWith('projectcalico.org/');
    const missing = isLeftover ? [notShownOfEtcd('KubeControllersConfiguration.projectcalico.org')] : read.missing;
    const value = isLeftover ? null : read.value;
    const told = value && configuration.parse(value).spec.controllers.node.hostEndpoint.autoCreate;
    const autoCreate = told === 'Enabled' || told === 'Disabled' ? told : null;
    return {
      upgrade: {
        hostEndpoints: {
          autoCreate,
          ...counting.value,
          wouldSelect:
            autoCreate === 'Enabled'
              ? []
              : wouldSelect(countingForms(policies, facts).value, nodes.value, counting.value.byHand),
        },
      },
      coverage: {
        hostEndpoints: allOf(counting, { value, missing }),
      },
    };
  },
});
