import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { names } from '#lib/spec/index.ts';
import { countingForms, inForms } from '../calico/forms.ts';
import { defineCollector } from '../collector.ts';
import { allOf, notShownOfEtcd } from '../reading/coverage.ts';
import { hostEndpointListing, kubeControllersConfiguration } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';
import { calicoMetadata } from './calico-metadata.ts';

const endpoint = fields({ spec: fields({ interfaceName: textOrNull, node: textOrNull }) });
const configuration = fields({
  spec: fields({ controllers: fields({ node: fields({ hostEndpoint: fields({ autoCreate: textOrNull }) }) }) }),
});

const counted = () => {
  let automatic = 0;
  const allInterfaces: Subject[] = [];
  return {
    each: (object: KubeObject | ObjectMetadata) => {
      const { name, labels } = calicoMetadata(object);
      if (labels[names.createdByLabel] === names.kubeControllersDeployment || name.endsWith('-auto-hep')) automatic++;
      else {
        const { interfaceName, node } = endpoint.parse(object).spec;
        const detail = `all interfaces of ${node ?? 'a node that it does not name'}`;
        if (interfaceName === '*') allInterfaces.push({ kind: 'HostEndpoint', namespace: null, name, detail });
      }
    },
    result: () => ({ automatic, allInterfaces }),
  };
};

/** Those that the controllers made, and those for all interfaces that people made by hand (calico.md §7). */
export const hostEndpoints = defineCollector({
  id: 'upgrade/host-endpoints',
  tells: ['hostEndpoints'],
  reads: { endpoints: inForms(hostEndpointListing, counted), configuration: kubeControllersConfiguration },
  collect: ({ endpoints, configuration: read }, facts) => {
    const counting = countingForms(endpoints, facts);
    const isLeftover =
      facts.installation.method === 'manifest-etcd' && !read.value?.apiVersion.startsWith('projectcalico.org/');
    const missing = isLeftover ? [notShownOfEtcd('KubeControllersConfiguration.projectcalico.org')] : read.missing;
    const value = isLeftover ? null : read.value;
    const told = value && configuration.parse(value).spec.controllers.node.hostEndpoint.autoCreate;
    const autoCreate = told === 'Enabled' || told === 'Disabled' ? told : null;
    return {
      upgrade: { hostEndpoints: { autoCreate, ...counting.value } },
      coverage: {
        hostEndpoints: allOf(counting, { value, missing }),
      },
    };
  },
});
