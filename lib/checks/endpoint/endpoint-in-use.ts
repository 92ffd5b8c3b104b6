import { hostAndPort } from '#lib/base/ip.ts';
import { agreeing, counted } from '#lib/base/words.ts';
import { names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { sameAddress } from '../reading/address.ts';
import { configMapId, endpointName, judgedEndpoint } from '../reading/judged-endpoint.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { listed, quoted } from '../wording/sentences.ts';

type Carried = { host: string | null; port: string | null };

/** MKE's proxy answers on the host's own network only, so Calico gives it to no other pod (calico.md §3.2). */
const hostNetworkOnly = 'proxy.local';

export const endpointInUse = defineCheck({
  id: 'endpoint.in-use',
  group: 'API endpoint',
  severity: 'warning',
  causedByRuns: true,
  followsFrom: { 'endpoint.present': 'unknown' },
  goals: ['enable', 'upgrade'],
  reads: ['endpointConfigMaps', 'workloads', 'proxy'],
  title: "Calico's workloads carry the address that the ConfigMap holds",
  gap: "Calico's workloads carry another address",
  topic: "Address in Calico's workloads",
  consequence:
    'The workloads still dial another address than the one that was written for them. Once the service proxy is off, a node that restarts stays NotReady.',
  remedy: {
    steps: [
      'Restart the operator, or let the plan do it: it takes the ConfigMap into its own environment only when it starts.',
      'Wait until calico-node, Typha, kube-controllers and the API server have rolled out, then check again.',
    ],
  },
  source: 'pain A5, A6',
  run: (facts, choices) => {
    const { configMap, inUse } = facts.endpoint;
    if (!configMap || configMap.host === '') {
      const endpoint = judgedEndpoint(facts, choices);
      if (endpoint?.origin === 'proposal') {
        return { kind: 'unknown', because: `${endpointName(endpoint)} is not accepted yet, so nothing can carry it.` };
      }
      return {
        kind: 'skipped',
        because:
          choices.goal === 'upgrade'
            ? 'There is no endpoint ConfigMap, so the workloads use the ClusterIP.'
            : 'There is no endpoint ConfigMap yet. The plan writes it, and waits until every workload carries it.',
        restsOn: ['endpointConfigMaps'],
      };
    }
    const others = inUse.filter((row) => !carries(row, configMap));
    if (others.length === 0) return { kind: 'pass', because: `All of them carry ${quoted(hostAndPort(configMap))}.` };

    const proxyIsOff = facts.proxy.kind === 'none' || facts.proxy.running === false;
    const objects = [...new Set(others.map(({ object }) => object))];
    const otherAddresses = [...new Set(others.map(addressOf))];
    const namespace = shellWord(configMap.namespace);
    return {
      kind: 'fail',
      severity: proxyIsOff ? 'blocking' : 'warning',
      because: `${counted(objects.length, 'workload')} ${agreeing(objects.length, 'carries', 'carry')} ${listed(otherAddresses)} where the ConfigMap holds ${quoted(hostAndPort(configMap))}: ${listed(objects)}.${proxyIsOff ? ' The service proxy is off already.' : choices.goal === 'enable' ? ' The plan fixes this before the switch.' : ''}`,
      subjects: others.map((row) => ({
        ...objectSubject(row.object),
        detail: `container ${row.container} carries ${addressOf(row)}`,
      })),
      remedy: {
        ...endpointInUse.remedy,
        command: `kubectl -n ${namespace} rollout restart deployment ${names.operatorDeployment}`,
      },
      evidence: [
        {
          object: configMapId(configMap.namespace),
          path: 'data',
          value: { [names.endpointHostKey]: configMap.host, [names.endpointPortKey]: configMap.port },
        },
        ...others.map(({ object, container, host, port }) => ({
          object,
          path: `spec.template.spec.containers[${container}].env`,
          value: { [names.endpointHostKey]: host, [names.endpointPortKey]: port },
        })),
      ],
    };
  },
});

function carries(row: Carried, wanted: { host: string; port: string }): boolean {
  if (row.host === null) return wanted.host === hostNetworkOnly;
  return (row.host === wanted.host || sameAddress(row.host, wanted.host)) && row.port === wanted.port;
}

function addressOf({ host, port }: Carried): string {
  return host === null ? 'no address of its own' : quoted(hostAndPort({ host, port: port ?? '' }));
}
