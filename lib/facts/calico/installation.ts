import { containerNamed, dataOf, installationOf, type KubeObject, type Workload } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { calicoOfOperator, isByOperator, names } from '#lib/spec/index.ts';
import { marksOf } from '../cluster/ownership-marks.ts';
import { defineCollector } from '../collector.ts';
import { foundOr } from '../reading/coverage.ts';
import { evidence } from '../reading/evidence.ts';
import {
  activeOperator,
  calicoConfig,
  canalConfig,
  clusterInformation,
  clusterInformationV3,
  tracked,
} from '../reading/sources.ts';
import { variableOf, versionOfImage, workloadId } from '../reading/workload.ts';
import type { Evidence, Facts } from '../schema.ts';
import { agents, deployments } from './agents.ts';
import { systemConfigMaps } from './calico-config-maps.ts';
import { datastoreOf, type ManifestAgent, manifestAgentOf, manifestOf } from './install-method.ts';
import { isOperator } from './unfinished.ts';

/** All objects by which the kind of installation is recognised (calico.md §9). */
type InstallationSigns = {
  readonly installation: KubeObject | null;
  readonly operator: KubeObject | null;
  readonly agents: readonly Workload[];
  readonly deployments: readonly Workload[];
  readonly clusterInformation: KubeObject | null;
  /** From Calico's own API. */
  readonly clusterInformationV3: KubeObject | null;
  readonly activeOperator: KubeObject | null;
  readonly configMaps: ReturnType<typeof systemConfigMaps>;
  /** Installations and DaemonSets were read whole, so that none means none. */
  readonly absenceIsKnown: boolean;
};

type Method = Facts['installation']['method'];
type Installed = Omit<
  Facts['installation'],
  'dataplane' | 'deviatingNodes' | 'cleaningUp' | 'otherNetworks' | 'operators' | 'migration' | 'unfinished'
>;

export const installation = defineCollector({
  id: 'installation',
  provides: ['installation'],
  reads: {
    installation: tracked.installation,
    operator: tracked.operator,
    agents,
    deployments,
    clusterInformation,
    clusterInformationV3,
    activeOperator,
    endpoint: tracked.systemEndpoint,
    calicoConfig,
    canalConfig,
  },
  collect: (read) => {
    const installation = installed({
      installation: read.installation.value,
      operator: read.operator.value,
      agents: read.agents.value,
      deployments: read.deployments.value,
      clusterInformation: read.clusterInformation.value,
      clusterInformationV3: read.clusterInformationV3.value,
      activeOperator: read.activeOperator.value,
      configMaps: systemConfigMaps({
        endpoint: read.endpoint.value,
        calico: read.calicoConfig.value,
        canal: read.canalConfig.value,
      }),
      absenceIsKnown: read.installation.missing.length === 0 && read.agents.missing.length === 0,
    });
    // Agents are enough to recognise the operator, but settings are only in the Installation.
    const isReadFully = isByOperator(installation)
      ? read.installation.value !== null
      : installation.method !== 'unknown';
    return {
      installation,
      coverage: { installation: foundOr(isReadFully, read.installation, read.agents) },
    };
  },
});

function installed(signs: InstallationSigns): Installed {
  const operatorWorkload = signs.deployments.find(isOperator) ?? null;
  const manifestAgent = manifestAgentOf(signs.agents, signs.configMaps);
  const operatorAgent = signs.agents.find(({ metadata: meta }) => meta.namespace === names.calicoNamespace) ?? null;

  const { method, evidence: methodEvidence } = methodOf(signs, manifestAgent, operatorAgent);
  const information = method === 'manifest-etcd' ? signs.clusterInformationV3 : signs.clusterInformation;
  const byManifest = method === 'manifest-kdd' || method === 'manifest-etcd';
  const agent = byManifest
    ? (manifestAgent?.workload ?? null)
    : (operatorAgent ?? manifestAgent?.workload ?? strayAgentOf(signs));
  const operatorVersion = imageVersion(operatorWorkload, names.operatorDeployment);
  const version = method === 'none' ? null : versionOf(signs.installation, { information, agent, operatorVersion });
  const hasTypha = signs.deployments.some(
    ({ metadata: meta }) => meta.name === names.typhaDeployment && meta.namespace === names.systemNamespace,
  );

  return {
    method,
    manifest: byManifest && manifestAgent ? manifestOf(manifestAgent, hasTypha) : null,
    version: version && (version.value as string),
    operatorVersion,
    datastore: datastore(method),
    cni: cniOf(signs, agent),
    namespace: agent?.metadata.namespace ?? null,
    agent: agent && workloadId(agent),
    endpointNamespace: byManifest ? names.systemNamespace : operatorNamespace(signs, operatorWorkload),
    evidence: [...methodEvidence, ...(version ? [version] : [])],
  };
}

const informationFields = fields({ spec: fields({ calicoVersion: textOrNull, clusterType: textOrNull }) });

function methodOf(
  signs: InstallationSigns,
  manifestAgent: ManifestAgent | null,
  operatorAgent: Workload | null,
): { method: Method; evidence: Evidence[] } {
  const { installation: object } = signs;
  if (object !== null || operatorAgent !== null) {
    const proof = object ? evidence(object, 'metadata.name', names.installation) : agentEvidence(operatorAgent);
    const helm = [object, signs.operator].flatMap((one) => (one ? marksOf(one).filter(({ by }) => by === 'helm') : []));
    const both = [...(proof ? [proof] : []), ...helm.map((mark) => mark.evidence)];
    return { method: helm.length > 0 ? 'helm' : 'operator', evidence: both };
  }
  if (manifestAgent !== null) {
    const proof = agentEvidence(manifestAgent.workload);
    const store = datastoreOf(manifestAgent);
    const name = store === 'etcd' ? 'ETCD_ENDPOINTS' : 'DATASTORE_TYPE';
    const value = variableOf(manifestAgent.container, name, manifestAgent.configMaps);
    const seen = [
      ...(proof ? [proof] : []),
      evidence(workloadId(manifestAgent.workload), `containers[${names.nodeContainer}].env.${name}`, value),
    ];
    if (store === null) return { method: 'unknown', evidence: seen };
    return { method: store === 'etcd' ? 'manifest-etcd' : 'manifest-kdd', evidence: seen };
  }
  const stray = strayAgentOf(signs);
  const seen = agentEvidence(stray);
  if (seen !== null) return { method: 'unknown', evidence: [seen] };
  const clusterType = signs.clusterInformation && informationFields.parse(signs.clusterInformation).spec.clusterType;
  if (!signs.absenceIsKnown && signs.clusterInformation && clusterType) {
    const method: Method | null = /\boperator\b/.test(clusterType)
      ? 'operator'
      : /\bkdd$/.test(clusterType)
        ? 'manifest-kdd'
        : null;
    if (method) return { method, evidence: [evidence(signs.clusterInformation, 'spec.clusterType', clusterType)] };
  }
  return { method: signs.absenceIsKnown ? 'none' : 'unknown', evidence: [] };
}

/** An agent in a namespace where neither an operator nor a public manifest puts one, on some node at least; null: there is none. */
function strayAgentOf({ agents }: InstallationSigns): Workload | null {
  return agents.find(({ status }) => status.desiredNumberScheduled !== 0) ?? null;
}

function agentEvidence(workload: Workload | null): Evidence | null {
  return workload && evidence(workloadId(workload), 'metadata.name', workload.metadata.name);
}

/** Calico's version, by the strongest source (calico.md §9 › Version). ClusterInformation changes with the first upgraded node, so the operator's status comes first. */
function versionOf(
  object: KubeObject | null,
  sources: { information: KubeObject | null; agent: Workload | null; operatorVersion: string | null },
): Evidence | null {
  const { information, agent, operatorVersion } = sources;
  const status = object && installationOf(object).status.calicoVersion;
  if (object && status) return evidence(object, 'status.calicoVersion', status);
  const informed = information && informationFields.parse(information).spec.calicoVersion;
  if (information && informed) return evidence(information, 'spec.calicoVersion', informed);
  const image = imageVersion(agent, names.nodeContainer);
  if (agent && image)
    return evidence(workloadId(agent), `spec.template.spec.containers[${names.nodeContainer}].image`, image);
  const paired = operatorVersion && calicoOfOperator(operatorVersion);
  return paired
    ? evidence(`${names.operatorNamespace}/Deployment/${names.operatorDeployment}`, 'operator version', paired)
    : null;
}

function imageVersion(workload: Workload | null, container: string): string | null {
  const found = workload && containerNamed(workload, container);
  return found ? versionOfImage(found.image) : null;
}

function datastore(method: Method): Facts['installation']['datastore'] {
  if (method === 'manifest-etcd') return 'etcd';
  return method === 'none' || method === 'unknown' ? null : 'kubernetes';
}

/** CNI plugins by the prefix of their interfaces, as in the operator's own converter (calico.md §9 › CNI). */
const cniByPrefix: Readonly<Record<string, string>> = {
  eni: 'AmazonVPC',
  azv: 'AzureVNET',
  gke: 'GKE',
  cali: 'Calico',
};

function cniOf({ installation: object, configMaps }: InstallationSigns, agent: Workload | null): string | null {
  if (object) {
    const { spec, status } = installationOf(object);
    const plugin = spec.cni.type ?? status.computed.cni.type;
    if (plugin) return plugin;
  }
  const container = agent && containerNamed(agent, names.nodeContainer);
  if (!agent || !container) return null;
  const prefix = variableOf(container, 'FELIX_INTERFACEPREFIX', configMaps)?.split(',')[0];
  if (prefix && cniByPrefix[prefix]) return cniByPrefix[prefix];
  // With an Installation that was not read well, the container alone decides nothing.
  return object === null && containerNamed(agent, 'install-cni') ? 'Calico' : null;
}

function operatorNamespace(signs: InstallationSigns, operator: Workload | null): string {
  const active = dataOf(signs.activeOperator)['active-namespace'];
  return active || operator?.metadata.namespace || names.operatorNamespace;
}
