import type { Labels } from '#lib/base/selectors/calico-selector.ts';
import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, listOf, textOrNull, texts } from '#lib/kube/read/lenient.ts';
import { isLabelOfKubernetes, names } from '#lib/spec/index.ts';
import { countingForms, inForms } from '../calico/forms.ts';
import { defineCollector } from '../collector.ts';
import { allOf, notShownOfEtcd } from '../reading/coverage.ts';
import { folded } from '../reading/query.ts';
import {
  globalNetworkPolicyListing,
  hostEndpointListing,
  kubeControllersConfiguration,
  listedNode,
  nodeListing,
} from '../reading/sources.ts';
import type { Facts, Subject } from '../schema.ts';
import { calicoMetadata } from './calico-metadata.ts';
import { hostSelector, type SelectorsOfPolicy } from './host-selector.ts';

const endpoint = fields({
  spec: fields({
    interfaceName: textOrNull,
    node: textOrNull,
    profiles: texts,
    ports: listOf(fields({ name: textOrNull })),
  }),
});
const configuration = fields({
  spec: fields({
    controllers: fields({
      node: fields({ hostEndpoint: fields({ autoCreate: textOrNull, createDefaultHostEndpoint: textOrNull }) }),
    }),
  }),
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
        const { interfaceName, node, profiles, ports } = endpoint.parse(object).spec;
        const detail = `all interfaces of ${node ?? 'a node that it does not name'}`;
        if (interfaceName !== '*') return;
        allInterfaces.push({ kind: 'HostEndpoint', namespace: null, name, detail });
        byHand.push({ name, node, labels, profiles, ports: ports.flatMap((port) => port.name ?? []) });
      }
    },
    result: () => ({ automatic, allInterfaces, byHand }),
  };
};

const policy = fields({
  spec: fields({ selector: textOrNull, namespaceSelector: textOrNull, serviceAccountSelector: textOrNull }),
});

type Policy = SelectorsOfPolicy & { readonly policy: string };

const listed = () => {
  const found = new Map<string, Policy>();
  return {
    each: (object: KubeObject | ObjectMetadata) => {
      const { name } = calicoMetadata(object);
      found.set(name, { policy: name, ...policy.parse(object).spec });
    },
    result: () => [...found.values()],
  };
};

const labelled = folded(nodeListing, () => {
  const nodes: { name: string; labels: Labels }[] = [];
  return {
    each: (object) => {
      const { name, labels } = listedNode(object).metadata;
      nodes.push({ name, labels });
    },
    result: () => nodes,
  };
});

const mostNamed = 20;

const copiable = (labels: Labels) =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !isLabelOfKubernetes(key)));

/**
 * Global policies that would newly apply to hosts. Automatic endpoints get the labels of their node, those of the old endpoint, and a label of Calico's
 * controllers (calico.md §7). Of two values for one label both count, as the choice comes later. Policies that already select the node's old endpoint
 * are left out.
 */
function wouldSelect(
  policies: readonly Policy[],
  nodes: readonly { name: string; labels: Labels }[],
  byHand: ByHand,
): WouldSelect {
  const earlier = Map.groupBy(byHand, ({ node }) => node);
  const madeBy = { [names.createdByLabel]: names.kubeControllersDeployment };
  return policies.flatMap((one): WouldSelect => {
    const matches = hostSelector(one);
    const { policy } = one;
    const selector = one.selector ?? '';
    if (matches === null) return [{ policy, selector, nodes: null }];
    const selected = nodes.filter((node) => {
      const old = earlier.get(node.name) ?? [];
      if (old.some(({ labels }) => matches(labels))) return false;
      const copied: Labels = Object.assign({}, ...old.map(({ labels }) => copiable(labels)));
      return matches({ ...copied, ...node.labels, ...madeBy }) || matches({ ...node.labels, ...copied, ...madeBy });
    });
    const first = selected.slice(0, mostNamed).map((node) => node.name);
    return selected.length === 0 ? [] : [{ policy, selector, nodes: { count: selected.length, first } }];
  });
}

/** Policies that select one of these endpoints. A selector that cannot be read counts. */
function selecting(policies: readonly Policy[], byHand: ByHand): Policy[] {
  return policies.filter((one) => {
    const matches = hostSelector(one);
    return byHand.some(({ labels }) => matches === null || matches(labels));
  });
}

const onOrOff = (value: string | null | undefined) => (value === 'Enabled' || value === 'Disabled' ? value : null);

/** Host endpoints of Calico's controllers, and those for all interfaces that people made (calico.md §7). */
export const hostEndpoints = defineCollector({
  id: 'upgrade/host-endpoints',
  provides: ['hostEndpoints'],
  reads: {
    endpoints: inForms(hostEndpointListing, counted),
    configuration: kubeControllersConfiguration,
    policies: inForms(globalNetworkPolicyListing, listed),
    nodes: labelled,
  },
  collect: ({ endpoints, configuration: read, policies, nodes }, facts) => {
    const counting = countingForms(endpoints, facts);
    const isLeftover =
      facts.installation.method === 'manifest-etcd' && !read.value?.apiVersion.startsWith('projectcalico.org/');
    const missing = isLeftover ? [notShownOfEtcd('KubeControllersConfiguration.projectcalico.org')] : read.missing;
    const value = isLeftover ? null : read.value;
    const configured = value && configuration.parse(value).spec.controllers.node.hostEndpoint;
    const autoCreate = onOrOff(configured?.autoCreate);
    const global = countingForms(policies, facts);
    return {
      upgrade: {
        hostEndpoints: {
          autoCreate,
          createDefault: onOrOff(configured?.createDefaultHostEndpoint),
          ...counting.value,
          wouldSelect: autoCreate === 'Enabled' ? [] : wouldSelect(global.value, nodes.value, counting.value.byHand),
          selecting: selecting(global.value, counting.value.byHand),
        },
      },
      coverage: {
        hostEndpoints: allOf(counting, { value, missing }, global, nodes),
      },
    };
  },
});
