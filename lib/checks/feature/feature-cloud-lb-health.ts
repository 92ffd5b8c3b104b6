import { counted } from '#lib/base/words.ts';
import { cloudOf, releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { agentNodes, nodeEvidence } from '../reading/nodes.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';
import { listed } from '../wording/sentences.ts';

/** RN v3.31.0: from this release on Calico answers in place of the service proxy, on port 10256. */
const answersFrom = 'v3.31.0';

export const featureCloudLbHealth = defineCheck({
  id: 'feature.cloud-lb-health',
  group: 'Features',
  severity: 'blocking',
  goals: ['enable'],
  reads: ['nodes', 'loadBalancers', 'installation'],
  title: 'Load balancers find the nodes healthy without the service proxy',
  gap: 'Load balancers will find the nodes unhealthy',
  topic: 'Health checks of load balancers',
  ifIgnored: 'Load balancers send no traffic',
  consequence:
    "Google's load balancers ask each node at port 10256, where the service proxy answers. Once it is off, they mark every node as unhealthy and send no traffic.",
  remedy: {
    steps: [`Upgrade Calico to ${answersFrom} or later first, which answers there itself.`, 'Check again.'],
  },
  source: 'pain B9',
  appliesTo: ({ nodes }) =>
    nodes.some(({ providerID }) => cloudOf(providerID)?.title === 'Google Cloud')
      ? true
      : { because: 'No node is on Google Cloud.', restsOn: ['nodes'] },
  run: (facts, choices) => {
    const release = targetRelease(facts, choices);
    const answers = release === null ? 'undecided' : releaseAtLeast(release, answersFrom);
    if (answers === 'yes') {
      return { kind: 'pass', because: `${releaseName(release)} answers there itself.`, restsOn: ['installation'] };
    }
    const { loadBalancers } = facts.features;
    if (loadBalancers.length === 0) {
      return { kind: 'pass', because: 'No Service has a load balancer.', restsOn: ['loadBalancers'] };
    }
    const all = listed(loadBalancers.map(({ namespace, name }) => `${namespace}/${name}`));
    if (answers === 'undecided') {
      return {
        kind: 'unknown',
        because: `The release of Calico that runs here was not read, and older ones leave the health checks of ${all} without an answer.`,
      };
    }
    return {
      kind: 'fail',
      because: `${releaseName(release)} does not answer the health checks of ${counted(loadBalancers.length, 'load balancer')} (${all}) in place of the service proxy.`,
      subjects: loadBalancers.map(({ namespace, name }) => ({
        kind: 'Service',
        namespace,
        name,
        detail: 'type LoadBalancer on Google Cloud',
      })),
      evidence: agentNodes(facts)
        .slice(0, 1)
        .map((node) => nodeEvidence(node, 'spec.providerID', node.providerID)),
    };
  },
});
