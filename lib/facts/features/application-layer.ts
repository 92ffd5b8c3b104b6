import { installationOf, type KubeObject, type ObjectMetadata } from '#lib/kube/index.ts';
import { fields, text } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { felixConfigurations, felixObjects } from '../calico/felix.ts';
import { countingForms } from '../calico/forms.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { folded, picked } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import { applicationLayerListing, podListing, serviceListing, tracked } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';
import { calicoPolicies, globalPolicies } from './calico-policies.ts';
import type { Policy } from './policies.ts';

/** Features that look into requests and need a proxy in the path of the traffic. */
type Feature = 'l7Logs' | 'applicationLayerPolicies' | 'waf';
type Found = { readonly feature: Feature; readonly subject: Subject };

const enabled = 'Enabled';
const applicationLayer = fields({
  metadata,
  spec: fields({
    logCollection: fields({ collectLogs: text }),
    applicationLayerPolicy: text,
    webApplicationFirewall: text,
  }),
});

function inApplicationLayer(object: KubeObject | ObjectMetadata): Found[] {
  const { metadata: meta, spec } = applicationLayer.parse(object);
  const found = (feature: Feature, path: string, value: string): Found[] =>
    value === enabled
      ? [
          {
            feature,
            subject: { kind: 'ApplicationLayer', namespace: null, name: meta.name, detail: `${path}: ${value}` },
          },
        ]
      : [];
  return [
    ...found('l7Logs', 'logCollection.collectLogs', spec.logCollection.collectLogs),
    ...found('applicationLayerPolicies', 'applicationLayerPolicy', spec.applicationLayerPolicy),
    ...found('waf', 'webApplicationFirewall', spec.webApplicationFirewall),
  ];
}

/** Whether the open-source operator runs, which ignores ApplicationLayer objects. */
function isOpenSource({ value, missing }: Reading<KubeObject | null>): boolean {
  if (value === null) return missing.length === 0;
  const variant = installationOf(value).spec.variant;
  return variant === null || variant === 'Calico';
}

/** Labels of pods with a sidecar (https://docs.tigera.io/calico-enterprise/latest/network-policy/application-layer-policies/alp). */
const podLabels: readonly (readonly [label: string, feature: Feature])[] = [
  ['applicationlayer.projectcalico.org/logging', 'l7Logs'],
  ['applicationlayer.projectcalico.org/policy', 'applicationLayerPolicies'],
  ['applicationlayer.projectcalico.org/waf', 'waf'],
];
const loggingAnnotation = 'projectcalico.org/l7-logging';

/** Pods with these labels, at most one for each namespace and label. */
const labelledPods = folded(podListing, () => {
  const counts = podLabels.map(([label, feature]) => ({ label, feature, namespaces: new Map<string, number>() }));
  return {
    each: ({ metadata: { labels, namespace = '' } }) => {
      if (labels === undefined) return;
      for (const { label, namespaces } of counts)
        if (labels[label] === enabled) namespaces.set(namespace, (namespaces.get(namespace) ?? 0) + 1);
    },
    result: (): Found[] =>
      counts.flatMap(({ label, feature, namespaces }) =>
        [...namespaces].map(([name, count]) => {
          const detail = `${count} ${count === 1 ? 'pod' : 'pods'} with the label ${label}`;
          return { feature, subject: { kind: 'Namespace', namespace: null, name, detail } };
        }),
      ),
  };
});

const loggedServices = picked(serviceListing, (object): Subject | null => {
  if (object.metadata.annotations?.[loggingAnnotation] !== 'true') return null;
  const { name, namespace } = metadata.parse(object.metadata);
  return { kind: 'Service', namespace, name, detail: `annotation ${loggingAnnotation}` };
});

/** L7 logs, application layer policy and the web application firewall (spec › Limits › Unsupported features). */
export const applicationLayerFeatures = defineCollector({
  id: 'features/application-layer',
  provides: ['l7Logs', 'applicationLayerPolicies', 'waf'],
  reads: {
    layers: picked(applicationLayerListing, inApplicationLayer),
    installation: tracked.installation,
    labelledPods,
    loggedServices,
    calicoPolicies,
    globalPolicies,
    felixObjects,
  },
  collect: (read, facts) => {
    const calico = countingForms(read.calicoPolicies, facts);
    const global = countingForms(read.globalPolicies, facts);
    const felix = felixConfigurations(read.felixObjects, facts);
    const enterprise = isOpenSource(read.installation) ? [] : [read.layers];
    const signs = [...(enterprise.length > 0 ? read.layers.value.flat() : []), ...read.labelledPods.value];
    const of = (feature: Feature) => signs.filter((one) => one.feature === feature).map(({ subject }) => subject);
    const policies = [
      ...calico.value.flatMap((policy) => httpRules('NetworkPolicy.projectcalico.org', policy)),
      ...global.value.flatMap((policy) => httpRules('GlobalNetworkPolicy.projectcalico.org', policy)),
    ];
    const sockets = felix.value.flatMap(({ metadata: { name }, spec: { policySyncPathPrefix: path } }): Subject[] =>
      path ? [{ kind: 'FelixConfiguration', namespace: null, name, detail: `policySyncPathPrefix: ${path}` }] : [],
    );
    return {
      features: {
        l7Logs: [...of('l7Logs'), ...read.loggedServices.value],
        applicationLayerPolicies: [...of('applicationLayerPolicies'), ...policies, ...sockets],
        waf: of('waf'),
      },
      coverage: {
        l7Logs: allOf(...enterprise, read.labelledPods, read.loggedServices),
        applicationLayerPolicies: allOf(...enterprise, read.labelledPods, calico, global, felix),
        waf: allOf(...enterprise, read.labelledPods),
      },
    };
  },
});

function httpRules(kind: string, { name, namespace, rules }: Policy): Subject[] {
  const found = rules.filter(({ http }) => http);
  if (found.length === 0) return [];
  return [{ kind, namespace, name, detail: `http in ${found.map(({ path }) => path).join(', ')}` }];
}
