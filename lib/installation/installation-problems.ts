import { namingFaults } from '#lib/spec/images/image-name.ts';
import { effectiveSpec } from './effective-spec.ts';
import { schemaProblems } from './field-schema.ts';
import type { InstallationContext } from './installation-context.ts';
import { type InstallationSpec, installationSpec } from './installation-spec.ts';
import { operatorsPools } from './pools/operators-pools.ts';
import { poolProblems } from './pools/pool-problems.ts';
import { type Path, type Problem, problem, when } from './problem.ts';
import { validate } from './rules.ts';

/** `error`: the operator refuses it, or it breaks connectivity; the wizard does not continue. `warning`: it works with a drawback. */
export type InstallationProblem = Problem & { readonly severity: 'error' | 'warning' };

/**
 * All problems of an Installation's spec on this cluster, errors first, each with its field: wrong types, fields unknown to the release (strict field validation
 * would refuse them), the rules of calico.md §2.4, those of pools in §2.3, and the surprises of §13 that the spec shows. `spec` is unvalidated input; parts that
 * cannot be read are skipped.
 */
export function installationProblems(spec: unknown, around: InstallationContext = {}): InstallationProblem[] {
  const bySchema = around.schema ? schemaProblems(around.schema, spec, around.release?.version ?? '') : [];
  const parsed = installationSpec.safeParse(spec);
  const byForm = parsed.success ? [] : parsed.error.issues.map((issue) => formProblem(issue.path, issue.message));
  if (!parsed.success) return ordered([...errors(bySchema), ...errors(withoutTwins(byForm, bySchema))]);
  const effective = effectiveSpec(parsed.data, around);
  const pools = poolProblems(parsed.data.calicoNetwork?.ipPools ?? [], {
    ...around,
    ...(effective.cni?.type === undefined ? {} : { cni: effective.cni.type }),
  });
  const refusals = errors([
    ...bySchema,
    ...validate(effective, contextOf(parsed.data, around)),
    ...surprises(parsed.data),
    ...againstRelease(effective, around),
    ...againstAnswers(effective, around),
    ...withoutEnterprise(effective, around),
    ...withoutRange(effective, around),
  ]);
  return ordered([
    ...refusals,
    ...pools,
    ...doubts(effective, around),
    ...ofOperatorsPools(parsed.data, effective, around),
  ]);
}

/** Without pools in the spec, validates those that the operator would create. */
function ofOperatorsPools(
  given: InstallationSpec,
  { cni, kubernetesProvider }: InstallationSpec,
  around: InstallationContext,
): InstallationProblem[] {
  const makesPools = cni?.type === 'Calico' && cni.ipam?.type === 'Calico' && around.hasPools === false;
  if (given.calicoNetwork?.ipPools !== undefined || !makesPools || around.kubeadmWithoutRange === true) return [];
  const { platformCIDRs = [], schema: _of, ...others } = around;
  const ipPools = [...operatorsPools({ provider: kubernetesProvider ?? '', platformCIDRs })];
  const made = installationProblems({ ...given, calicoNetwork: { ...given.calicoNetwork, ipPools } }, others);
  return made
    .filter(({ path }) => path[0] === 'calicoNetwork' && path[1] === 'ipPools')
    .map(({ words, severity }) => ({
      ...problem(
        'spec.calicoNetwork.ipPools',
        `is not set, so the operator makes ${ipPools.map(({ cidr }) => cidr).join(' and ')} itself: ${words}`,
      ),
      severity,
    }));
}

/** The context for rules. For group 11 the provider counts only if it was given: the operator's error is not about a detected one. */
function contextOf(given: InstallationSpec, around: InstallationContext): InstallationContext {
  if (given.kubernetesProvider) return around;
  const { provider: _detected, ...others } = around;
  return others;
}

/** MTUs of a Linux link. Minimum by RFC 791 and RFC 8200 §5 (the kernel disables IPv6 below it), maximum 16 bits. 0: the agent chooses. */
const mtus = { least: 68, leastV6: 1280, most: 65_535 };

function surprises(spec: InstallationSpec): Problem[] {
  const { mtu = 0, ipPools = [] } = spec.calicoNetwork ?? {};
  const hasV6 = ipPools.some(({ cidr }) => familyOf(cidr) === 'v6');
  const least = hasV6 ? mtus.leastV6 : mtus.least;
  const { flexVolumePath, registry, imagePath, imagePrefix, imagePullSecrets } = spec;
  return [
    ...when(
      mtu !== 0 && (mtu < least || mtu > mtus.most),
      'spec.calicoNetwork.mtu',
      `${mtu} is not between ${least} and ${mtus.most}${hasV6 ? ' (there is an IPv6 pool)' : ''}: no interface can have it. Without a value each node finds its own.`,
    ),
    ...when(
      flexVolumePath?.startsWith('/') === true && !flexVolumePath.endsWith('/'),
      'spec.flexVolumePath',
      `needs a slash at its end: the operator appends nodeagent~uds without one, which makes ${flexVolumePath}nodeagent~uds.`,
    ),
    ...namingFaults({ registry, imagePath, imagePrefix }).map(({ field, because }) =>
      problem(`spec.${field}`, `${because}.`),
    ),
    ...(imagePullSecrets ?? []).flatMap((secret, index) =>
      secret.name
        ? []
        : [
            problem(
              { path: ['imagePullSecrets', index, 'name'], field: `spec.imagePullSecrets[${index}].name` },
              'is missing: a Secret in namespace tigera-operator is named there.',
            ),
          ],
    ),
  ];
}

/** Values that the release's operator does not support yet, or no longer (calico.md §2.1, §2.4). */
function againstRelease(spec: InstallationSpec, { release }: InstallationContext): Problem[] {
  const minor = minorOf(release?.operator);
  if (release === undefined || minor === null) return [];
  const network = spec.calicoNetwork ?? {};
  const tooNew = (['bpfNetworkBootstrap', 'kubeProxyManagement'] as const).filter(
    (field) => network[field] === 'Enabled' && minor < 40,
  );
  return [
    ...tooNew.map((field) =>
      problem(
        `spec.calicoNetwork.${field}`,
        `the operator knows it from v1.40 on (Calico v3.31); that of ${release.version} is ${release.operator} and would drop it.`,
      ),
    ),
    ...when(
      minor < 31 && network.linuxDataplane === 'BPF' && network.hostPorts === 'Enabled',
      'spec.calicoNetwork.hostPorts',
      `Enabled is refused together with eBPF before operator v1.31; that of ${release.version} is ${release.operator}.`,
    ),
    ...when(
      minor >= 42 && spec.nonPrivileged === 'Enabled',
      'spec.nonPrivileged',
      `Enabled is refused from operator v1.42 on; that of ${release.version} is ${release.operator}.`,
    ),
  ];
}

/** Contradictions to answers of earlier steps. */
function againstAnswers(spec: InstallationSpec, { chosen, proxy }: InstallationContext): Problem[] {
  const network = spec.calicoNetwork ?? {};
  const dataplane = network.linuxDataplane ?? 'Iptables';
  return [
    ...when(
      chosen !== undefined && dataplane !== chosen.dataplane,
      'spec.calicoNetwork.linuxDataplane',
      `${dataplane} is not what was answered: the installation is to begin with ${chosen?.dataplane}.`,
    ),
    ...when(
      chosen?.automatic === false && network.bpfNetworkBootstrap === 'Enabled',
      'spec.calicoNetwork.bpfNetworkBootstrap',
      'Enabled is automatic mode, and an API endpoint was chosen instead: the two exclude each other.',
    ),
    ...when(
      chosen?.automatic === true && chosen.dataplane === 'BPF' && network.bpfNetworkBootstrap !== 'Enabled',
      'spec.calicoNetwork.bpfNetworkBootstrap',
      'Enabled is needed: automatic mode was chosen.',
    ),
    ...when(
      network.kubeProxyManagement === 'Enabled' && proxy === 'none',
      'spec.calicoNetwork.kubeProxyManagement',
      'Enabled needs DaemonSet kube-system/kube-proxy, which is not there: TigeraStatus kubeproxy-monitor would stay Degraded.',
    ),
  ];
}

const enterprise = 'TigeraSecureEnterprise';

/** Errors of the variant Enterprise: without Enterprise's kinds the operator stays Degraded (calico.md §2.1). */
function withoutEnterprise(spec: InstallationSpec, around: InstallationContext): Problem[] {
  return when(
    spec.variant === enterprise && around.enterprise?.kinds.length === 0,
    'spec.variant',
    `${enterprise} needs kinds that only Calico Enterprise has, such as LogStorage, and the files of ${around.release?.version ?? 'this release'} define none of them: the operator would stay Degraded. Name the source of an Enterprise release, or leave the field out for Calico.`,
  );
}

/** Warnings about Enterprise. They claim no consequence, because Signalbox was never run with it. */
function enterpriseDoubts(spec: InstallationSpec, around: InstallationContext): Problem[] {
  const isCalico = (spec.variant ?? 'Calico') === 'Calico';
  const kinds = around.enterprise?.kinds ?? [];
  return [
    ...when(
      isCalico && kinds.length > 0,
      'spec.variant',
      `Calico is asked for, and the release defines ${kinds.slice(0, 3).join(', ')}, by which its operator starts as that of Calico Enterprise. ${enterprise} is what such files are for.`,
    ),
    ...when(
      isCalico && kinds.length === 0 && around.enterprise?.isItsOperator === true,
      'spec.variant',
      `Calico is asked for, and operator ${around.release?.operator} is of a train that comes with Calico Enterprise: which Calico it installs is not known here.`,
    ),
    ...when(
      spec.variant === enterprise && (spec.imagePullSecrets ?? []).length === 0,
      'spec.imagePullSecrets',
      'names no Secret, and images of Calico Enterprise are pulled with one: pods would wait in ErrImagePull. Its guide calls it tigera-pull-secret, in namespace tigera-operator.',
    ),
  ];
}

/** The error if kubeadm has no podSubnet: the operator reads kubeadm's configuration before it creates any pools (calico.md §2.3). */
function withoutRange(spec: InstallationSpec, { kubeadmWithoutRange }: InstallationContext): Problem[] {
  return when(
    kubeadmWithoutRange === true && spec.cni?.type === 'Calico',
    'spec.calicoNetwork.ipPools',
    'the operator makes no pool here: ConfigMap kube-system/kubeadm-config names no podSubnet. Add networking.podSubnet to its ClusterConfiguration, with the range of your pools, and read the cluster again.',
  );
}

/** Warnings: settings that work with a drawback. */
function doubts(spec: InstallationSpec, around: InstallationContext): InstallationProblem[] {
  const { serviceCIDRs, serviceAddresses = [] } = around;
  const pools = spec.calicoNetwork?.ipPools ?? [];
  const isCalico = spec.cni?.type === 'Calico' && spec.cni.ipam?.type === 'Calico';
  const found = [
    ...enterpriseDoubts(spec, around),
    ...pools.flatMap(({ encapsulation, name, cidr }, index) =>
      when(
        spec.calicoNetwork?.linuxDataplane === 'BPF' && encapsulation?.startsWith('IPIP') === true,
        {
          path: ['calicoNetwork', 'ipPools', index, 'encapsulation'],
          field: `spec.calicoNetwork.ipPools[${name ?? cidr}].encapsulation`,
        },
        `${encapsulation} works with eBPF, but slower than VXLAN, and many clouds drop it.`,
      ),
    ),
    ...(isCalico && pools.length > 0
      ? (['v4', 'v6'] as const).flatMap((family) =>
          when(
            serviceCIDRs?.some((cidr) => familyOf(cidr) === family) === true &&
              !pools.some(({ cidr }) => familyOf(cidr) === family),
            'spec.calicoNetwork.ipPools',
            `no pool is IP${family}, and Services have IP${family} addresses (${serviceCIDRs?.join(', ')}): pods cannot answer there.`,
          ),
        )
      : []),
    ...when(
      isCalico && pools.length > 0 && serviceCIDRs?.length === 0,
      'spec.calicoNetwork.ipPools',
      `nothing in the cluster says from which range Services get their addresses${seen(serviceAddresses)}. Compare the range with the pools (--service-cluster-ip-range of the API server, or what the provider shows): where they overlap, a pod and a Service get the same address.`,
    ),
    ...when(
      isCalico && spec.calicoNetwork?.ipPools?.length === 0,
      'spec.calicoNetwork.ipPools',
      'is an empty list, so the operator makes no pool: pods get no address until you make one.',
    ),
  ];
  return found.map((one) => ({ ...one, severity: 'warning' }));
}

function seen(addresses: readonly string[]): string {
  return addresses.length === 0 ? '' : `; ${addresses.join(' and ')} is in it`;
}

function familyOf(cidr: string): 'v4' | 'v6' {
  return cidr.includes(':') ? 'v6' : 'v4';
}

function minorOf(operator: string | undefined): number | null {
  const minor = /^v?1\.(\d+)\./.exec(operator ?? '')?.[1];
  return minor === undefined ? null : Number(minor);
}

function formProblem(path: readonly PropertyKey[], message: string): Problem {
  const known = path.filter((step) => typeof step !== 'symbol');
  const field = known.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`),
    'spec',
  );
  return problem({ path: known, field }, `${message}.`);
}

/** Problems without those of fields that the schema has reported already. */
function withoutTwins(problems: readonly Problem[], reported: readonly Problem[]): readonly Problem[] {
  const keys = new Set(reported.map(({ path }) => keyOf(path)));
  return problems.filter(({ path }) => !keys.has(keyOf(path)));
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

function errors(problems: readonly Problem[]): InstallationProblem[] {
  return problems.map((one) => ({ ...one, severity: 'error' }));
}

function ordered(problems: readonly InstallationProblem[]): InstallationProblem[] {
  return [...problems].sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}
