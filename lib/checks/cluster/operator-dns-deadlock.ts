import type { Facts } from '#lib/facts/index.ts';
import { type Choices, type Cloud, cloudOf, names, platformIn, resolverFor } from '#lib/spec/index.ts';
import { jsonText, shellWord } from '#lib/text/index.ts';
import type { Severity } from '../findings.ts';
import { defineEndpointCheck, ofAnAddressForAll } from '../framework/endpoint-check.ts';
import { endpointName } from '../reading/effective-endpoint.ts';
import { isManifestInstall } from '../reading/installation.ts';
import { operatorDeploymentId, operatorDns } from '../reading/operator-deployment.ts';

export const operatorDnsDeadlock = defineEndpointCheck({
  id: 'operator.dns-deadlock',
  group: 'API endpoint',
  severity: 'blocking',
  followsFrom: ofAnAddressForAll,
  goals: ['install', 'enable', 'upgrade'],
  reads: ['operator', 'platform'],
  title: "The operator can resolve the endpoint's name without cluster DNS",
  gap: 'The operator asks cluster DNS for the endpoint',
  topic: 'DNS of the operator',
  ifIgnored: 'Neither starts after a full restart',
  consequence:
    'The operator resolves the API server by cluster DNS, which needs the network that the operator installs. When both restart together, neither comes up.',
  remedy: {
    steps: [
      'Give the operator a DNS server outside of the cluster, or choose an IP address as the endpoint.',
      'Check again.',
    ],
    autofix: 'operator.dns',
    fixIn: 'endpoint',
  },
  source: 'spec › Create operator; pain A2',
  appliesTo: (facts) =>
    isManifestInstall(facts) ? { because: 'No operator runs here.', restsOn: ['installation'] } : true,
  evaluate: (endpoint, address, facts, choices) => {
    if (address.kind === 'ip') {
      return {
        kind: 'pass',
        because: `${endpointName(endpoint)} is an IP address: there is no name to resolve.`,
        restsOn: [],
      };
    }
    if (address.text === names.proxyOfMke) {
      return { kind: 'pass', because: `Each node resolves ${names.proxyOfMke} by itself.`, restsOn: [] };
    }
    const dns = operatorDns(facts);
    if (dns === null)
      return { kind: 'unknown', because: "The DNS settings of the operator's Deployment could not be read." };
    const object = operatorDeploymentId(facts);
    const evidence = [
      { object, path: 'spec.template.spec.dnsPolicy', value: dns.dnsPolicy },
      { object, path: 'spec.template.spec.dnsConfig.nameservers', value: dns.nameservers },
    ];
    if (dns.dnsPolicy !== 'ClusterFirstWithHostNet') {
      return {
        kind: 'pass',
        because: `The operator's dnsPolicy is ${dns.dnsPolicy}, which does not need the cluster's DNS.`,
        evidence,
        restsOn: ['operator'],
      };
    }
    if (dns.nameservers.length > 0) {
      return {
        kind: 'pass',
        because: `The operator asks ${dns.nameservers.join(', ')} first.`,
        evidence,
        restsOn: ['operator'],
      };
    }
    const namespace = facts.installation.endpointNamespace;
    const resolver = resolverFor(platformIn(facts, choices), facts.nodes);
    const isInstalled = dns.origin === 'read';
    const released = isInstalled ? '' : ' as released';
    return {
      kind: 'fail',
      severity: severityOf(facts, choices),
      because: `${endpointName(endpoint)} is a name, and the operator${released} asks the cluster DNS for it (dnsPolicy ClusterFirstWithHostNet, no nameservers).`,
      subjects: [
        {
          kind: 'Deployment',
          namespace,
          name: names.operatorDeployment,
          detail: `${isInstalled ? '' : 'not installed yet; comes with '}dnsPolicy ClusterFirstWithHostNet without dnsConfig.nameservers`,
          ...(isInstalled ? {} : { missing: true }),
        },
      ],
      remedy: {
        ...operatorDnsDeadlock.remedy,
        // Without a cloud resolver the operator uses its node's.
        ...(resolver === null
          ? {
              steps: [
                'Let the operator ask the DNS servers of its node, or choose an IP address as the endpoint.',
                'Check again.',
              ],
            }
          : {}),
        ...(isInstalled ? { command: patchCommand(namespace, resolver) } : {}),
      },
      evidence,
    };
  },
});

/**
 * checks.md: a warning on OpenShift. Blocking on AWS, and for an install anywhere, because the DNS cannot run before the operator. On a running
 * cluster elsewhere it matters only when everything restarts.
 */
function severityOf(facts: Facts, choices: Choices): Severity {
  const platform = platformIn(facts, choices);
  if (platform === 'openshift') return 'warning';
  const isAws = platform === 'eks' || platform === 'kops' || cloudsOf(facts).some(({ title }) => title === 'AWS');
  return choices.goal === 'install' || isAws ? 'blocking' : 'warning';
}

function cloudsOf({ nodes }: Facts): Cloud[] {
  return nodes.map(({ providerID }) => cloudOf(providerID)).filter((cloud) => cloud !== null);
}

function patchCommand(namespace: string, nameserver: string | null): string {
  const spec = nameserver === null ? { dnsPolicy: 'Default' } : { dnsConfig: { nameservers: [nameserver] } };
  const body = jsonText({ spec: { template: { spec } } });
  return `kubectl -n ${shellWord(namespace)} patch deployment ${names.operatorDeployment} --type merge -p ${shellWord(body)}`;
}
