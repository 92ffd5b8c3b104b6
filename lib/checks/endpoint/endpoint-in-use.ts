import { hostAndPort } from '#lib/base/ip.ts';
import { isServiceAddress } from '#lib/base/network/service-address.ts';
import { agreeing, counted } from '#lib/base/words.ts';
import type { Evidence, Facts, Subject } from '#lib/facts/index.ts';
import { type Choices, isByOperator, names } from '#lib/spec/index.ts';
import { shellLine, shellWord } from '#lib/text/index.ts';
import { defineCheck, type Result } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { isCovered } from '../framework/coverage.ts';
import { noneNeeded } from '../framework/endpoint-check.ts';
import { carriesEndpoint } from '../reading/carries-endpoint.ts';
import { configMapId, configMapSubject, effectiveEndpoint, endpointName } from '../reading/effective-endpoint.ts';
import { bootstrapMode, isManifestInstall } from '../reading/installation.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';
import { proxyIsOff } from '../reading/proxy.ts';
import { listed, quoted } from '../wording/sentences.ts';

type Row = Facts['endpoint']['inUse'][number];
type Carried = Pick<Row, 'host' | 'port'>;

export const endpointInUse = defineCheck({
  id: 'endpoint.in-use',
  group: 'API endpoint',
  severity: 'warning',
  causedByRuns: true,
  followsFrom: { 'endpoint.present': 'unknown' },
  goals: ['enable', 'upgrade'],
  reads: ['endpointConfigMaps', 'workloads', 'proxy'],
  title: "Calico's workloads use the address in the ConfigMap",
  gap: "Calico's workloads use another address",
  topic: "Address in Calico's workloads",
  ifIgnored: 'Restarted nodes stay NotReady',
  consequence:
    'The workloads still use another address than the one in the ConfigMap. Once the service proxy is off, a node that restarts stays NotReady.',
  remedy: {
    steps: ['Restart the operator, or let the plan do it.', 'Check again once all pods of Calico have rolled out.'],
    details: ['The operator reads the ConfigMap only when it starts.'],
  },
  source: 'pain A5, A6',
  run: (facts, choices) => {
    const { configMap, inUse } = facts.endpoint;
    if (!configMap || configMap.host === '') {
      if (choices.goal === 'upgrade') return beforeUpgrade(facts, choices);
      const endpoint = effectiveEndpoint(facts, choices);
      if (endpoint?.origin === 'proposal') {
        return { kind: 'unknown', because: `${endpointName(endpoint)} is not accepted yet, so nothing can carry it.` };
      }
      return {
        kind: 'skipped',
        because: 'There is no endpoint ConfigMap yet. The plan writes it, and waits until every workload carries it.',
        restsOn: ['endpointConfigMaps'],
      };
    }
    const others = inUse.filter((row) => !carriesEndpoint(row, configMap));
    if (others.length === 0) return { kind: 'pass', because: `All of them carry ${quoted(hostAndPort(configMap))}.` };

    const isOff = proxyIsOff(facts) === true;
    const objects = [...new Set(others.map(({ object }) => object))];
    const otherAddresses = [...new Set(others.map(addressOf))];
    return {
      kind: 'fail',
      severity: isOff ? 'blocking' : 'warning',
      because: `${counted(objects.length, 'workload')} ${agreeing(objects.length, 'carries', 'carry')} ${listed(otherAddresses)} where the ConfigMap holds ${quoted(hostAndPort(configMap))}: ${listed(objects)}.${isOff ? ' The service proxy is off already.' : choices.goal === 'enable' ? ' The plan fixes this before the switch.' : ''}`,
      subjects: others.map(subjectOf),
      remedy: isManifestInstall(facts)
        ? ofAManifest(objects)
        : { ...endpointInUse.remedy, command: restartOperator(configMap.namespace) },
      evidence: [
        {
          object: configMapId(configMap.namespace),
          path: 'data',
          value: { [names.endpointHostKey]: configMap.host, [names.endpointPortKey]: configMap.port },
        },
        ...others.map(evidenceOf),
      ],
    };
  },
});

/**
 * An upgrade restarts the operator. Without the ConfigMap, a restarted operator gives workloads the ClusterIP (calico.md §3.2); their present address is
 * only in the old process's memory. A starting agent reaches a ClusterIP only through the service proxy, except in automatic mode.
 */
function beforeUpgrade(facts: Facts, choices: Choices): Result {
  const { endpointNamespace: namespace } = facts.installation;
  if (bootstrapMode(facts, choices) !== 'off') return { kind: 'skipped', ...noneNeeded };
  const services = { clusterIPs: facts.endpoint.clusterIPs, serviceCIDRs: facts.cluster.serviceCIDRs };
  const rows = facts.endpoint.inUse.filter(({ host }) => host !== null && !isServiceAddress(host, services));
  const isOff = proxyIsOff(facts);
  const restsOn = ['endpointConfigMaps', 'workloads', 'clusterIPs', 'proxy'] as const;
  const isOperators = isByOperator(facts.installation);
  // What was not read may be the ConfigMap or the ClusterIP: *skipped* becomes *unknown*.
  if (!isOperators || (rows.length === 0 && isOff !== true) || !isCovered(facts, 'endpointConfigMaps', 'clusterIPs')) {
    return {
      kind: 'skipped',
      because: 'There is no endpoint ConfigMap, so the workloads use the ClusterIP.',
      restsOn: isOperators ? restsOn : ['endpointConfigMaps'],
    };
  }
  const objects = [...new Set(rows.map(({ object }) => object))];
  const addresses = [...new Set(rows.map(addressOf))];
  const [carried] = rows;
  const endpoint = addresses.length === 1 && carried?.port ? carried : choices.endpoint;
  const writes =
    rows.length === 0
      ? 'The workloads use the ClusterIP'
      : `${counted(objects.length, 'workload')} still ${agreeing(objects.length, 'carries', 'carry')} ${listed(addresses)} (${listed(objects)}), and the operator that the upgrade starts gives them the ClusterIP`;
  return {
    kind: 'fail',
    severity: isOff === false ? 'warning' : 'blocking',
    because: `No address stands in ConfigMap ${namespace}/${names.endpointConfigMap}. ${writes}${isOff === true ? ', which nothing serves to an agent that starts: the service proxy is off' : ''}.`,
    subjects: rows.length === 0 ? [configMapSubject(namespace, 'holds no host and port')] : rows.map(subjectOf),
    evidence: [
      { object: configMapId(namespace), path: 'data', value: facts.endpoint.configMap },
      ...rows.map(evidenceOf),
      ...facts.proxy.evidence,
    ],
    remedy: {
      steps: [
        `Write the ConfigMap ${endpoint ? 'again, with the command below' : 'again, with an address that outlives each of the API servers'}, before any pod of Calico restarts.`,
        'Restart the operator after that.',
        'Check again.',
      ],
      ...(endpoint ? { command: [writeConfigMap(facts, endpoint), restartOperator(namespace)].join('\n') } : {}),
    },
  };
}

function writeConfigMap({ endpoint, installation: { endpointNamespace } }: Facts, { host, port }: Carried): string {
  const data = { [names.endpointHostKey]: host ?? '', [names.endpointPortKey]: port ?? '' };
  const object = ['configmap', names.endpointConfigMap, '-n', endpointNamespace];
  return endpoint.configMap
    ? shellLine('kubectl', 'patch', ...object, '--type=merge', '-p', JSON.stringify({ data }))
    : shellLine(
        'kubectl',
        'create',
        ...object,
        ...Object.entries(data).map(([key, value]) => `--from-literal=${key}=${value}`),
      );
}

/** Without an operator each workload reads the ConfigMap when its pods start (calico.md §3.2). */
function ofAManifest(objects: readonly string[]): Remedy {
  const workloads = objects.filter((object) => /\/(?:DaemonSet|Deployment)\//.test(object));
  return {
    steps: ['Restart these workloads: pods read the ConfigMap when they start.', 'Check again.'],
    ...(workloads.length > 0
      ? {
          command: workloads
            .map((object) => `kubectl rollout restart ${kubectlArguments(object, shellWord)}`)
            .join('\n'),
        }
      : {}),
  };
}

function restartOperator(namespace: string): string {
  return shellLine('kubectl', '-n', namespace, 'rollout', 'restart', 'deployment', names.operatorDeployment);
}

function subjectOf(row: Row): Subject {
  return { ...objectSubject(row.object), detail: `container ${row.container} carries ${addressOf(row)}` };
}

function evidenceOf({ object, container, host, port }: Row): Evidence {
  return {
    object,
    path: `spec.template.spec.containers[${container}].env`,
    value: { [names.endpointHostKey]: host, [names.endpointPortKey]: port },
  };
}

function addressOf({ host, port }: Carried): string {
  return host === null ? 'no address of its own' : quoted(hostAndPort({ host, port: port ?? '' }));
}
