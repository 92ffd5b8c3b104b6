import { inList } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { isByOperator } from '#lib/spec/by-operator.ts';
import type { Goal, PlatformKind } from '#lib/spec/index.ts';
import type { ProxyStrategy } from './forms/proxy-form.ts';
import { goalWords } from './goal-words.ts';
import type { WizardContext } from './wizard-context.ts';

/** Proposals for each step with their reasons, and why options cannot be chosen. All follow from Facts. */

/** `proposed`: the reason for proposing it; null: not proposed. `because`: why it cannot be chosen. */
type Option<Value> = {
  value: Value;
  title: string;
  text: string;
  proposed: string | null;
  because: string | null;
};

export type GoalOption = Option<Goal>;

export function goalOptions({ facts, findings }: Pick<WizardContext, 'facts' | 'findings'>): GoalOption[] {
  const { method, dataplane } = facts.installation;
  const isOn = dataplane.actual === 'BPF';
  const runs = dataplane.actual === 'unknown' ? 'unknown' : dataplane.actual;
  const cannotInstall = whyNoInstall(facts);
  const isMissing = method === 'none' || facts.installation.unfinished !== null;
  const install: GoalOption = {
    value: 'install',
    title: goalWords.install,
    text: 'Brings Calico to a cluster that has no network of its own yet, with eBPF or the standard data plane. Undoing the run uninstalls it.',
    proposed: cannotInstall === null ? whyInstall(facts) : null,
    because: cannotInstall,
  };
  const isOutage = findings.findings.some(({ remedy }) => remedy.goal === 'restore');
  const restore: GoalOption = {
    value: 'restore',
    title: goalWords.restore,
    text: 'Turns kube-proxy on again, on every node at the same moment, and waits for its rules. Calico stays as it is.',
    proposed: isOutage ? 'Services are down: neither kube-proxy nor eBPF serves them.' : null,
    because: null,
  };
  return [
    ...(isOutage ? [restore] : []),
    ...(cannotInstall === null ? [install] : []),
    {
      value: 'enable',
      title: goalWords.enable,
      text: isOn
        ? 'eBPF is on already. The plan then holds only what is still missing, such as a service proxy that runs beside it.'
        : 'Moves the running Calico from the standard Linux data plane to eBPF, and turns the service proxy off after every node is proven.',
      proposed: !isMissing && isByOperator(facts.installation) ? `Calico runs here, with data plane ${runs}.` : null,
      because: method === 'none' ? 'Calico is not installed here: there is no data plane to switch yet.' : null,
    },
    ...(cannotInstall === null ? [] : [install]),
    {
      value: 'upgrade',
      title: goalWords.upgrade,
      text: 'Moves Calico to another release, one node after the other, without changing its data plane. Undoing the run brings the earlier release back.',
      proposed: null,
      because: whyNoUpgrade(facts),
    },
    {
      value: 'undo',
      title: goalWords.undo,
      text: 'Brings the cluster back to what was recorded before a run. For a run that installed Calico this uninstalls it; an installation that Signalbox did not make is not uninstalled, as there is no record of what was there before.',
      proposed: null,
      because: 'Open the run to undo, and undo it there.',
    },
  ];
}

/** `kube-system/DaemonSet/calico-node and 2 more`. */
function named(subjects: readonly { kind: string; namespace: string | null; name: string }[]): string {
  const [first, ...more] = subjects.map(({ kind, namespace, name }) =>
    [namespace, kind, name].filter((part) => part !== null).join('/'),
  );
  return more.length === 0 ? `${first}` : `${first} and ${more.length} more`;
}

function whyInstall({ installation }: Facts): string {
  const { unfinished } = installation;
  return unfinished === null
    ? 'No trace of Calico was found here.'
    : `An installation was begun and not finished: ${named(unfinished.has)} is here. What is here stays, and what is missing is added.`;
}

/** Why Calico cannot be installed; null: it can. */
function whyNoInstall({ installation }: Facts): string | null {
  const { method, version, unfinished } = installation;
  if (unfinished !== null || method === 'none') return null;
  if (method === 'unknown')
    return 'Not verified that Calico is not installed here already: two installations would fight over every node.';
  const by = {
    operator: 'by its operator',
    helm: 'by Helm',
    'manifest-kdd': 'by manifest',
    'manifest-etcd': 'by manifest',
  };
  return `Calico ${version ?? 'of an unknown version'} is installed here already, ${by[method]}.`;
}

/** Why Calico cannot be upgraded; null: it can. */
function whyNoUpgrade({ installation: { method } }: Facts): string | null {
  if (method === 'none') return 'Calico is not installed here: there is nothing to upgrade.';
  return method === 'unknown' ? 'Not verified how Calico was installed here.' : null;
}

export type PlatformProposal = {
  detected: { kind: PlatformKind; title: string };
  /** Evidence of the platform; empty if there is none. */
  evidence: Facts['platform']['evidence'];
  options: Option<PlatformKind>[];
};

export function platformProposal({ facts, platforms }: Pick<WizardContext, 'facts' | 'platforms'>): PlatformProposal {
  const { kind, evidence } = facts.platform;
  const title = platforms.find((one) => one.kind === kind)?.title ?? kind;
  const options = platforms.map(
    (one): Option<PlatformKind> => ({
      value: one.kind,
      title: one.title,
      text: one.ebpf.supported
        ? (one.ebpf.note ?? '')
        : `${one.ebpf.because.charAt(0).toUpperCase()}${one.ebpf.because.slice(1)}.`,
      proposed: one.kind === kind ? 'detected' : null,
      because: null,
    }),
  );
  return { detected: { kind, title }, evidence, options };
}

export type EndpointProposal = {
  suggested: { host: string; port: string; because: string; doubts: string[]; isAccepted: boolean } | null;
  /** The endpoint that the cluster has now. */
  configured: { host: string; port: string; namespace: string } | null;
  apiServers: string[];
  /** Whether a new installation may leave the address to the operator; null for other goals. */
  automatic: { cannot: string | null } | null;
};

export function endpointProposal({ draft, facts, endpoint, automaticCannot }: WizardContext): EndpointProposal {
  const { suggested, configMap, apiServers } = facts.endpoint;
  return {
    suggested: suggested && {
      ...suggested,
      port: String(suggested.port),
      isAccepted: endpoint?.origin === 'accepted-proposal',
    },
    configured: configMap && configMap.host !== '' ? configMap : null,
    apiServers,
    automatic: draft.answers.goal === 'install' ? { cannot: automaticCannot } : null,
  };
}

type ProxyOption = Option<ProxyStrategy>;

export type ProxyProposal = {
  /** A sentence about what runs now. */
  runs: string;
  options: ProxyOption[];
  /** Settings that create a cluster without the proxy, verbatim. */
  atCreation: { title: string; texts: readonly string[]; unknown: string | null; path: string }[];
  /** A question if kubeadm would reinstall the proxy; null if not, or if the plan has that finding's fix. */
  forget: { text: string } | null;
};

export function proxyProposal(context: WizardContext): ProxyProposal {
  const { facts, platform, proxy } = context;
  const isDaemonSet = facts.proxy.kind === 'daemonset';
  const isInstall = context.draft.answers.goal === 'install';
  return {
    runs: proxyRuns(facts),
    options: [
      {
        value: 'off',
        title: proxy.off === 'none' ? 'Nothing to turn off' : 'Turn it off',
        text: offWords[proxy.off](context),
        proposed: proxy.off === 'stays' ? null : 'eBPF handles every Service; both together would do the work twice.',
        because: null,
      },
      {
        value: 'operator',
        title: 'Let the operator turn it off',
        text: 'Calico’s operator turns kube-proxy off after every node is proven, and turns it off again whenever something brings it back.',
        proposed: null,
        because: isInstall
          ? 'In a new installation the operator would turn it off at once, before any node is proven: that is Automatic, below.'
          : operatorCannot(context),
      },
      {
        value: 'keep',
        title: 'Keep it beside eBPF',
        text: 'kube-proxy keeps writing rules that no packet needs, which costs processor time on every node. Calico must then leave those rules alone; the checks offer to add that to the plan.',
        proposed: proxy.off === 'stays' ? `On ${platform.title} it cannot be turned off.` : null,
        because: facts.proxy.kind === 'none' ? 'There is no service proxy to keep.' : null,
      },
      {
        value: 'automatic',
        title: 'Automatic',
        text: 'The operator finds the API servers itself and turns kube-proxy off (`bpfNetworkBootstrap` and `kubeProxyManagement`). It turns the proxy off before the first agent runs: Services pause for as long as images pull, on every node at once. No address is asked for, and none may be given.',
        proposed: null,
        because: isInstall
          ? context.automaticCannot
          : 'For a new installation only: on a running one the switch would not wait until every node is proven.',
      },
    ],
    atCreation: isInstall ? atCreation(context) : [],
    forget:
      !context.draft.answers.acceptProposals &&
      isDaemonSet &&
      facts.resources.objects['kube-system/ConfigMap/kube-proxy'] &&
      usesKubeadm(platform.kind)
        ? {
            text: 'Where kubeadm finds the ConfigMap kube-system/kube-proxy, its next upgrade brings kube-proxy back. The plan can delete it after the proxy is off; an undo puts it back.',
          }
        : null,
  };
}

/** One row for all setups of this platform with the same flags. */
function atCreation({ guides, proxy }: WizardContext): ProxyProposal['atCreation'] {
  if (proxy.off === 'none') return [];
  const rows = guides.map(({ id, title, createFlags }) => ({
    title,
    texts: 'unknown' in createFlags ? [] : createFlags,
    unknown: 'unknown' in createFlags ? createFlags.unknown : null,
    path: `/reference/platforms#${id}`,
  }));
  const same = Map.groupBy(rows, ({ texts, unknown }) => JSON.stringify([texts, unknown]));
  return [...same.values()].flatMap(([first]) =>
    first === undefined || (first.texts.length === 0 && first.unknown === null) ? [] : [first],
  );
}

function usesKubeadm(kind: PlatformKind): boolean {
  return kind === 'kubeadm' || kind === 'kind';
}

function operatorCannot({ facts, platform, operatorManagesProxy }: WizardContext): string | null {
  if (facts.proxy.kind === 'none') return 'There is no service proxy to turn off.';
  if (facts.proxy.kind !== 'daemonset' || platform.proxy.by !== 'daemonset')
    return 'The operator can do so only where kube-proxy is a DaemonSet of its own.';
  if (operatorManagesProxy === 'yes') return null;
  const { operatorVersion } = facts.installation;
  return operatorVersion === null
    ? 'The version of the operator is not verified; it can from v1.40 on.'
    : `The operator here is ${operatorVersion}; it can from v1.40 on.`;
}

function proxyRuns({ proxy, installation }: Facts): string {
  const serving = installation.otherNetworks.filter(({ serves }) => serves === true);
  if (serving.length > 0 && (proxy.kind === 'none' || proxy.kind === 'unknown'))
    return `${inList([...new Set(serving.map(({ product }) => product))])} ${serving.length === 1 ? 'serves' : 'serve'} Services here, in place of kube-proxy.`;
  if (proxy.kind === 'none') return 'No service proxy was found.';
  if (proxy.kind === 'unknown') return 'A running service proxy: not verified.';
  const mode = proxy.mode === 'unknown' ? '' : `, in ${proxy.mode === 'ipvs' ? 'IPVS' : proxy.mode} mode`;
  const managed = proxy.managedBy === null ? '' : ` It is managed by ${proxy.managedBy}.`;
  if (proxy.running === false) return `kube-proxy is installed but runs on no node.${managed}`;
  const where: Record<typeof proxy.kind, string> = {
    daemonset: proxy.pods ? `on ${proxy.pods.ready} of ${proxy.pods.desired} nodes` : 'as a DaemonSet',
    openshift: 'under OpenShift’s network operator',
    embedded: 'inside of the agent of the distribution',
    'static-pods': 'as static pods of each node',
  };
  return `kube-proxy runs ${where[proxy.kind]}${mode}.${managed}`;
}

const offWords: Readonly<Record<WizardContext['proxy']['off'], (context: WizardContext) => string>> = {
  daemonset: () =>
    'After every node is proven on eBPF, its DaemonSet gets a nodeSelector that no node has, and its pods go. An undo takes the selector away and waits until its rules are back, before any node leaves eBPF.',
  managed: () =>
    'The operator turns it off: this cluster has kubeProxyManagement enabled. It is held back until every node is proven on eBPF.',
  openshift: () =>
    'After every node is proven on eBPF, OpenShift’s network operator is told not to deploy kube-proxy. An undo tells it to again.',
  instructions: ({ platform }) =>
    `Here it is started outside of the Kubernetes API, so it is yours to turn off, and the run waits for it. ${
      platform.proxy.by === 'instructions' ? platform.proxy.text : ''
    }`.trim(),
  stays: ({ platform }) => `On ${platform.title} the platform would bring it back at once, so it stays beside eBPF.`,
  none: () => 'There is no service proxy here.',
};
