import { hostAndPort } from '#lib/base/ip.ts';
import { counted } from '#lib/base/words.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { isByOperator } from '#lib/spec/by-operator.ts';
import type { NodeTest } from '#lib/spec/index.ts';
import { runsAgent } from '#lib/spec/platforms/virtual-node.ts';
import type { StepId } from '../answers.ts';
import { type FindingInState, findingsInState } from '../open-findings.ts';
import { proxyProposal } from '../proposals.ts';
import { stepStates } from '../step-state.ts';
import { stepIdsOf } from '../steps.ts';
import type { WizardContext } from '../wizard-context.ts';

/** What a row rests on: the worst that its findings say. `none`: nothing is in its way, and nothing had to be shown. */
export type Proof = { state: 'ok' | 'bad' | 'warn' | 'unknown'; words: string } | null;

/** One thing that was found, where it was read, and the step that changes it; null where nothing can be chosen. */
export type FoundRow = {
  what: string;
  value: string;
  /** The value is an address or another text of machines. */
  isCode: boolean;
  proof: Proof;
  source: string;
  change: StepId | null;
};

type Row = Omit<FoundRow, 'proof' | 'isCode'> & {
  isCode?: true;
  /** Ids of the findings that speak of it, or the beginning of them. */
  checks: readonly string[];
  /** What is said where none of them is open or accepted, and the one check that shows it passed. */
  good?: Shown | null;
};

type Shown = { words: string; shownBy: string };

/** What was found of a cluster, in the order in which one looks at it. */
export function foundRows(context: WizardContext): FoundRow[] {
  const isInstall = context.draft.answers.goal === 'install';
  const isStandard = isInstall && context.draft.answers.dataplane === 'Iptables';
  const isUpgrade = context.draft.answers.goal === 'upgrade';
  const asked = stepIdsOf(context.draft.answers);
  const rows: (Row | null)[] = [
    isInstall || isUpgrade ? releaseRow(context) : null,
    isUpgrade ? changesRow(context) : null,
    isUpgrade ? afterwardsRow(context) : null,
    isInstall ? poolRow(context) : null,
    isUpgrade ? null : platformRow(context),
    asked.includes('endpoint') ? endpointRow(context) : null,
    asked.includes('proxy') ? proxyRow(context) : null,
    nodesRow(context),
    isStandard ? null : kernelRow(context),
    isInstall ? null : overlayRow(context),
    isInstall ? null : calicoRow(context),
    ownersRow(context),
    rightsRow(context),
    isUpgrade ? null : optionsRow(context),
  ];
  const found = findingsInState(context.findings);
  return rows
    .filter((row) => row !== null)
    .map(({ checks, good, isCode = false, ...row }) => ({
      ...row,
      isCode,
      proof: proofOf(
        found.filter(({ finding }) => checks.some((id) => finding.id === id)),
        good ?? null,
      ),
    }));
}

const order = ['blocking', 'unknown', 'decide'] as const;
const stateOf = { blocking: 'bad', unknown: 'unknown', decide: 'warn' } as const;

/** What was accepted, or waits for another finding, shows nothing. */
function proofOf(found: readonly FindingInState[], good: Shown | null): Proof {
  for (const state of order) {
    const worst = found.find((one) => one.state === state);
    if (worst)
      return { state: stateOf[state], words: state === 'decide' ? 'needs your answer' : inShort(worst.finding) };
  }
  const accepted = found.filter(({ state, finding }) => state === 'answered' && finding.fixedBy === null);
  if (accepted.some(({ finding }) => finding.status === 'unknown'))
    return { state: 'unknown', words: 'accepted, not verified' };
  if (accepted.length > 0 || found.some(({ state }) => state === 'waiting')) return null;
  const isShown = found.some(({ state, finding }) => state === 'pass' && finding.id === good?.shownBy);
  return good !== null && isShown ? { state: 'ok', words: good.words } : null;
}

/** A finding in a line: its subjects where they are nodes. The whole of it stands elsewhere on the page. */
function inShort({ status, notMeasured, subjects, because }: Finding): string {
  if (notMeasured !== null) return 'not tested on the nodes';
  if (status === 'unknown') return 'not verified';
  const nodes = subjects.filter(({ kind }) => kind === 'Node');
  const [first] = nodes;
  if (first !== undefined && nodes.length === subjects.length)
    return nodes.length === 1
      ? `fails on ${first.name}`
      : `fails on ${counted(nodes.length, 'node')}, ${first.name} first`;
  return because.length <= mostChars ? because : 'blocks: see above';
}
const mostChars = 64;

function platformRow({ platform, facts, draft }: WizardContext): Row {
  const servers = facts.endpoint.apiServers.length;
  const [seen] = facts.platform.evidence;
  return {
    what: 'Platform',
    value: servers === 0 ? platform.title : `${platform.title}, ${counted(servers, 'API server')}`,
    source:
      draft.answers.platform === undefined
        ? seen === undefined
          ? 'no sign of another'
          : lastOf(seen.object)
        : 'your choice',
    change: 'platform',
    checks: ['platform.supported', 'platform.kubernetes-version', 'platform.eks-auto-mode'],
  };
}

function endpointRow({ endpoint, facts, draft }: WizardContext): Row {
  const { automatic } = draft.answers;
  const isNone = endpoint === null;
  return {
    what: 'API endpoint',
    value: automatic ? 'the operator finds the API servers' : isNone ? 'none could be proposed' : hostAndPort(endpoint),
    ...(automatic || isNone ? {} : { isCode: true as const }),
    source: automatic
      ? 'your choice'
      : endpoint === null
        ? 'nothing names one'
        : {
            chosen: 'your choice',
            'config-map': 'kubernetes-services-endpoint',
            proposal: sourceOfEndpoint(facts),
            'accepted-proposal': sourceOfEndpoint(facts),
          }[endpoint.origin],
    change: 'endpoint',
    checks: endpointChecks,
    good: { words: reachedWords(facts, endpoint), shownBy: 'endpoint.reachable' },
  };
}

const endpointChecks = [
  'endpoint.present',
  'endpoint.form',
  'endpoint.not-cluster-ip',
  'endpoint.not-local',
  'endpoint.reachable',
  'endpoint.certificate',
  'endpoint.resolvable',
  'endpoint.stable',
  'endpoint.namespace',
  'endpoint.bootstrap-exclusive',
  'endpoint.in-use',
  'endpoint.kube-vip',
];

function sourceOfEndpoint({ endpoint: { suggestedFrom } }: WizardContext['facts']): string {
  const [seen] = suggestedFrom?.evidence ?? [];
  return seen === undefined ? 'name of the platform' : lastOf(seen.object);
}

function proxyRow(context: WizardContext): Row {
  const { facts, proxy } = context;
  const after = {
    stays: ' It stays beside eBPF.',
    none: '',
    managed: ' The operator turns it off.',
    instructions: ' Turning it off is yours: the run waits.',
    daemonset: ' Turned off last.',
    openshift: ' Turned off last.',
  }[proxy.now];
  const [seen] = facts.proxy.evidence;
  return {
    what: 'Service proxy',
    value: `${proxyProposal(context).runs}${context.draft.answers.automatic ? ' The operator turns it off at once.' : after}`,
    source: seen === undefined ? 'DaemonSets and pods' : lastOf(seen.object),
    change: 'proxy',
    checks: [
      'proxy.detected',
      'proxy.not-ipvs',
      'proxy.no-double-management',
      'proxy.health-port',
      'proxy.comes-back',
      'proxy.can-come-back',
      'proxy.gone-without-bpf',
      'platform.proxy-cannot-be-disabled',
    ],
  };
}

/** None were found only where they were read: a cluster whose nodes nobody may list is not one without nodes. */
export function wereNodesRead({ nodes, coverage }: Pick<Facts, 'nodes' | 'coverage'>): boolean {
  return nodes.length > 0 || coverage.nodes?.covered === true;
}

function nodesRow({ facts }: WizardContext): Row {
  const { nodes } = facts;
  const ready = nodes.filter((node) => node.ready).length;
  const waiting = nodes.filter(({ notReady }) => notReady?.waitsFor === 'network').length;
  const standing =
    waiting > 0 && waiting + ready === nodes.length
      ? `${counted(waiting, 'node')}, waiting for a network`
      : `${ready} of ${nodes.length} Ready`;
  return {
    what: 'Nodes',
    value: wereNodesRead(facts)
      ? [
          standing,
          manyOf(nodes.map(({ architecture }) => architecture)),
          manyOf(nodes.map(({ osImage }) => osImage)),
        ].join(', ')
      : 'not read',
    source: 'node status',
    change: null,
    checks: ['node.ready', 'node.architecture', 'node.distribution', 'node.linux-only', 'node.mixed-dataplane'],
  };
}

function kernelRow({ facts }: WizardContext): Row {
  const { nodes } = facts;
  const ready = passedOn(facts, 'programs', (nodes) => `ready for eBPF on ${nodes}`);
  const linux = nodes.filter(runsAgent);
  return {
    what: 'Kernel',
    value: wereNodesRead(facts) ? manyOf(linux.map(({ kernel }) => kernel)) : 'not read',
    source: facts.measured === null ? 'node status' : 'node status; probe',
    change: null,
    checks: ['node.kernel', 'node.kernel-flavour', 'node.kernel-known-bad', 'node.bpf-loads', 'node.mounts'],
    good:
      ready === null
        ? { words: 'new enough for eBPF on every node', shownBy: 'node.kernel' }
        : { words: ready, shownBy: 'node.bpf-loads' },
  };
}

const encapsulations: Readonly<Record<string, string>> = {
  None: 'no overlay',
  IPIP: 'IPIP',
  IPIPCrossSubnet: 'IPIP across subnets',
  VXLAN: 'VXLAN',
  VXLANCrossSubnet: 'VXLAN across subnets',
};

function overlayRow({ facts }: WizardContext): Row {
  const { pools } = facts;
  const used = pools.filter(({ disabled }) => !disabled);
  const passes = passedOn(facts, 'vxlan', (nodes) => `VXLAN passes both ways, ${nodes}`);
  return {
    what: 'Overlay',
    value:
      used.length === 0
        ? 'no pool of Calico'
        : manyOf(used.map(({ encapsulation }) => encapsulations[encapsulation] ?? encapsulation)),
    source: used.length === 1 ? `IPPool ${used[0]?.name}` : counted(used.length, 'IPPool'),
    change: null,
    good: passes === null ? null : { words: passes, shownBy: 'network.vxlan-between-nodes' },
    checks: ['network.vxlan-between-nodes', 'network.mtu', 'network.overlay-choice', 'network.vxlan-port'],
  };
}

function calicoRow({ facts: { installation } }: WizardContext): Row {
  const by = {
    operator: 'by the operator',
    helm: 'by Helm',
    'manifest-kdd': 'by manifest',
    'manifest-etcd': 'by manifest, with etcd',
    none: '',
    unknown: '',
  }[installation.method];
  return {
    what: 'Calico',
    value: `${installation.version ?? 'version not known'} ${by}`.trim(),
    source: isByOperator(installation) ? 'Installation default' : 'workloads',
    change: null,
    checks: [
      'install.method-known',
      'enable.operator-needed',
      'install.status-healthy',
      'install.enterprise',
      'install.non-privileged',
      'install.felix-annotation',
    ],
  };
}

const owners: readonly { id: string; none: string; fail: string; unknown: string }[] = [
  {
    id: 'managed-by.reconciler',
    none: 'no Flux or Argo CD sets these fields',
    fail: 'another tool sets these fields',
    unknown: 'not verified whether another tool sets these fields',
  },
  {
    id: 'managed-by.helm',
    none: 'no Helm release sets these fields',
    fail: 'a Helm release owns them',
    unknown: 'not verified what a Helm release sets',
  },
];

function ownersRow({ findings }: WizardContext): Row {
  const said = owners.flatMap(({ id, none, fail, unknown }) => {
    const finding = findings.findings.find((one) => one.id === id);
    if (finding === undefined) return [];
    // A pass with evidence found a tool, which is paused or keeps what the plan wants.
    const pass = finding.evidence.length === 0 ? none : inSentence(finding.because);
    return { pass, fail, unknown, skipped: inSentence(finding.because) }[finding.status];
  });
  const isNone = owners.every(({ none }) => said.includes(none));
  return {
    what: 'Owners',
    value: isNone ? 'no Flux, Argo CD or Helm release sets these fields' : said.join('; ') || 'not looked at',
    source: 'managedFields',
    change: null,
    checks: owners.map(({ id }) => id),
  };
}

/** `Paused: Flux.` → `paused: Flux` */
function inSentence(because: string): string {
  return `${because.charAt(0).toLowerCase()}${because.slice(1).replace(/\.$/, '')}`;
}

function rightsRow({ facts: { resources } }: WizardContext): Row {
  const allowed = resources.access.filter((rule) => rule.allowed).length;
  return {
    what: 'Rights',
    value:
      allowed === resources.access.length
        ? 'this account may make every change of the plan'
        : 'not every change is allowed',
    source: 'access reviews',
    change: null,
    checks: ['permissions.plan'],
  };
}

function optionsRow({ draft: { answers } }: WizardContext): Row {
  const isInstall = answers.goal === 'install';
  return {
    what: 'Options',
    value: answers.dsr
      ? 'replies go straight to the client (DSR)'
      : 'as proposed: replies return through the first node',
    source: isInstall ? 'Calico’s defaults' : 'FelixConfiguration',
    change: 'options',
    checks: ['network.dsr-fabric', 'node.flexvolume-path', 'feature.host-ports'],
  };
}

function releaseRow({ release, draft }: WizardContext): Row {
  const version = draft.answers.release ?? release?.progress.wanted.version ?? 'not chosen';
  const words = {
    'not-asked': 'files not here yet',
    opening: 'files on their way',
    failed: 'files could not be fetched',
    open: 'files here and verified',
  };
  return {
    what: 'Release',
    value: release === null ? version : `Calico ${version}, ${words[release.progress.kind]}`,
    source: release?.progress.kind === 'open' ? release.progress.source : 'proposed',
    change: 'release',
    checks: draft.answers.goal === 'upgrade' ? ['upgrade.path', 'upgrade.registry-moved'] : ['install.imageset'],
  };
}

/** What people set, and what becomes of it: the one thing of an upgrade that no reading decides. */
function changesRow(context: WizardContext): Row | null {
  const { changes } = context;
  if (changes === null) return null;
  const sources = {
    manifest: changes.kind === 'manifest' ? changes.file : '',
    helm: 'Helm’s own record',
    operator: 'Deployment tigera-operator',
  };
  return {
    what: 'Your changes',
    value: stepStates(context.draft, context).find(({ id }) => id === 'changes')?.says ?? '',
    source: sources[changes.kind],
    change: 'changes',
    checks: ['upgrade.manual-changes'],
  };
}

/** Nothing of it is assumed: it stands here so that one finds it. */
function afterwardsRow({ afterwards }: WizardContext): Row | null {
  if (afterwards === null) return null;
  const asked = afterwards.offers.filter(({ isAsked }) => isAsked).map(({ title }) => title);
  const possible = afterwards.offers.filter(({ cannot }) => cannot === null).length;
  return {
    what: 'Afterwards',
    value: asked.join('; ') || (possible === 0 ? 'nothing to do here' : `nothing; ${possible} possible`),
    source: 'your choice',
    change: 'afterwards',
    checks: [],
  };
}

function poolRow({ installation, draft }: WizardContext): Row {
  const pools = [...(installation?.proposal ?? '').matchAll(/cidr: ["']?([^\s"']+)/g)].map(([, cidr]) => cidr);
  return {
    what: 'IP pool',
    value: draft.answers.installation === undefined ? pools.join(', ') || 'made by the operator' : 'as you edited it',
    source: draft.answers.installation === undefined ? 'pod network of the cluster' : 'your choice',
    change: 'resources',
    checks: ['network.mtu'],
  };
}

/** What a test says that every node passed; null where it was not taken, or not passed by all. */
function passedOn(
  { measured }: WizardContext['facts'],
  test: NodeTest,
  words: (nodes: string) => string,
): string | null {
  const nodes = measured?.nodes ?? [];
  if (nodes.length === 0 || nodes.some(({ tests }) => tests[test]?.kind !== 'passed')) return null;
  return words(`${nodes.length} of ${counted(nodes.length, 'node')}`);
}

/** What was measured of another address says nothing of this one. */
function reachedWords(facts: WizardContext['facts'], endpoint: WizardContext['endpoint']): string {
  const tested = facts.measured?.endpoint;
  const isTested = tested?.host === endpoint?.host && tested?.port === endpoint?.port;
  return (
    (isTested
      ? (passedOn(facts, 'endpoint-from-pod', (nodes) => `${nodes} reach it, from host and pod`) ??
        passedOn(facts, 'endpoint-from-host', (nodes) => `${nodes} reach it`))
      : null) ?? 'an API server of this cluster answers there'
  );
}

/** `kube-system/ConfigMap/kubeadm-config` → `kubeadm-config`; other kinds with their name. */
function lastOf(object: string): string {
  return object
    .split('/')
    .slice(-2)
    .join(' ')
    .replace(/^ConfigMap /, '');
}

/** `5.14.0`; `5.14.0 on 13, 4.18.0 on 1`; the commonest three. */
function manyOf(values: readonly string[]): string {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => ({ value, count: all.length }));
  counts.sort((left, right) => right.count - left.count);
  if (counts.length <= 1) return counts[0]?.value ?? 'none';
  const shown = counts.slice(0, 3).map(({ value, count }) => `${value} on ${count}`);
  return counts.length > 3 ? `${shown.join(', ')} and ${counts.length - 3} more` : shown.join(', ');
}
