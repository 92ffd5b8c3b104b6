import { isInCidr } from '#lib/base/ip.ts';
import { isServiceAddress } from '#lib/base/network/service-address.ts';
import type { Result } from '../check.ts';
import { defineEndpointCheck } from '../framework/endpoint-check.ts';
import { endpointEvidence, endpointName, endpointSubject } from '../reading/effective-endpoint.ts';
import { sameAddress } from '../reading/endpoint-host.ts';
import { resolvedTo } from '../reading/endpoint-probe.ts';
import { listed, quoted } from '../wording/sentences.ts';

/** Names of the Service default/kubernetes in cluster DNS. */
const serviceName = /^kubernetes\.default(?:\.svc(?:\..+)?)?$|^kubernetes$/;

export const endpointNotClusterIp = defineEndpointCheck({
  id: 'endpoint.not-cluster-ip',
  group: 'API endpoint',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['serviceCIDRs', 'clusterServices'],
  title: 'The endpoint is not an address of a Service',
  gap: 'The endpoint is an address of a Service',
  topic: 'Endpoint and the service CIDR',
  ifIgnored: 'Restarted nodes stay NotReady',
  consequence:
    'The address of a Service works only where something serves it. Once the service proxy is off, an agent that needs this address to start waits for itself, and every restarted node stays NotReady.',
  choosesAnother: true,
  remedy: {
    steps: [
      'Choose the address of a load balancer outside of the cluster, or of an API server itself.',
      'Check again.',
    ],
    fixIn: 'endpoint',
  },
  source: 'spec › What the service does, item 5; pain A6',
  evaluate: (endpoint, address, facts) => {
    const { cluster, endpoint: read } = facts;
    const fail = (detail: string): Result => ({
      kind: 'fail',
      because: `${endpointName(endpoint)} ${detail}.`,
      subjects: [endpointSubject(facts, endpoint, detail)],
      evidence: [...endpointEvidence(facts, endpoint), ...cluster.evidence],
    });

    const services = { clusterIPs: read.clusterIPs, serviceCIDRs: cluster.serviceCIDRs };
    // At this port alone: an address that moves between nodes may be an API server's at one, and external IP of an ingress at others.
    const external = (host: string) =>
      read.externalAddresses.find(
        ({ address: one, ports }) => sameAddress(one, host) && ports.includes(Number(endpoint.port)),
      )?.service;

    if (address.kind === 'name') {
      if (serviceName.test(address.text)) return fail('is the name of the Service default/kubernetes');
      const addresses = resolvedTo(facts, endpoint);
      const resolved = addresses.find((ip) => isServiceAddress(ip, services));
      if (resolved) return fail(`resolves to ${resolved}, an address of a Service`);
      const named = external(address.text);
      if (named) return fail(`is the name of the load balancer of Service ${quoted(named)}`);
      for (const ip of addresses) {
        const service = external(ip);
        if (service) return fail(`resolves to ${ip}, an external address of Service ${quoted(service)}`);
      }
      return {
        kind: 'pass',
        because: `${endpointName(endpoint)} is a name outside of the cluster's own DNS.`,
        restsOn: ['clusterServices'],
      };
    }
    if (isServiceAddress(address.text, { clusterIPs: read.clusterIPs, serviceCIDRs: [] }))
      return fail('is the ClusterIP of the Service default/kubernetes');
    const cidr = cluster.serviceCIDRs.find((range) => isInCidr(address.text, range));
    if (cidr) return fail(`lies in the service CIDR ${quoted(cidr)}`);
    const service = external(address.text);
    if (service) return fail(`is an external address of Service ${quoted(service)}`);
    if (cluster.serviceCIDRs.length === 0) {
      return {
        kind: 'unknown',
        because: `The service CIDR was not read, and ${quoted(endpoint.host)} may lie in it.`,
      };
    }
    return {
      kind: 'pass',
      because: `${endpointName(endpoint)} lies outside of the service CIDR ${listed(cluster.serviceCIDRs)}.`,
      evidence: cluster.evidence,
    };
  },
});
