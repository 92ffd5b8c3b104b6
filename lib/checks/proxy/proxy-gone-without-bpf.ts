import type { Facts } from '#lib/facts/index.ts';
import { type Choices, type Goal, names } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { isCovered } from '../framework/coverage.ts';
import {
  areServicesDown,
  isManagerPaused,
  kubeProxyId,
  lookAtTheProxy,
  proxyIsOff,
  proxySubject,
} from '../reading/proxy.ts';

/** The step after the remedy, for goals where checking again is not enough. */
const thenWhat: Partial<Record<Goal, string>> = {
  enable:
    'Or accept this and switch to eBPF, which restores them too. The endpoint must not be the ClusterIP: it is down as well.',
  upgrade: 'Upgrade after that: an upgrade restarts the agents.',
  undo: 'Undo after that: its rules are on every node by then.',
};

/**
 * A command that removes the selectors that turn kube-proxy off: the one of Calico's documentation, and the operator's own, which stays when the operator no
 * longer manages kube-proxy (calico.md §3; operations.md › proxy.disable.managed). Changes nothing if neither is set.
 */
const turnOn = `kubectl -n ${names.systemNamespace} patch daemonset ${names.kubeProxyDaemonSet} --type merge -p '${JSON.stringify(
  {
    spec: {
      template: { spec: { nodeSelector: { [names.nonCalicoSelector]: null, [names.operatorProxySelector]: null } } },
    },
  },
)}'`;

export const proxyGoneWithoutBpf = defineCheck({
  id: 'proxy.gone-without-bpf',
  group: 'Service proxy',
  severity: 'blocking',
  causedByRuns: true,
  goals: ['enable', 'upgrade', 'undo', 'restore'],
  reads: ['proxy', 'dataplane'],
  title: 'Something serves Services: the service proxy or eBPF',
  gap: 'Services are down: neither proxy nor eBPF serves them',
  topic: 'Serving of Services',
  ifIgnored: 'New connections to Services fail',
  consequence:
    'Existing connections continue. New connections to Services fail, including those to the API server at its ClusterIP.',
  remedy: { steps: ['Turn the service proxy on again.', 'Check again.'], fixIn: 'proxy' },
  source: 'pain B7',
  run: (facts, choices) => {
    const off = proxyIsOff(facts);
    const { actual } = facts.installation.dataplane;
    if (actual === 'BPF' && isCovered(facts, 'dataplane'))
      return { kind: 'pass', because: 'The data plane is eBPF.', restsOn: ['dataplane'] };
    if (off === false)
      return { kind: 'pass', because: 'The service proxy runs.', evidence: facts.proxy.evidence, restsOn: ['proxy'] };
    if (!areServicesDown(facts)) {
      return {
        ...lookAtTheProxy(facts),
        kind: 'unknown',
        because: 'Nothing was found that serves Services on the nodes, and nothing rules it out.',
      };
    }
    const state = facts.proxy.kind === 'none' ? 'there is none' : 'it is scheduled on no node';
    return {
      kind: 'fail',
      outage: true,
      severity: choices.goal === 'enable' ? 'warning' : 'blocking',
      because: `Services are down now${actual === 'mixed' ? ' on some nodes' : ''}: the service proxy is gone (${state}), and the data plane is ${actual === 'mixed' ? 'eBPF on the others only' : actual}.`,
      subjects: [proxySubject(facts, state)],
      remedy: remedyOf(facts, choices),
      evidence: [...facts.proxy.evidence, ...facts.installation.evidence],
    };
  },
});

/** The remedy: the plan *restore* if one of these selectors turns the proxy off, else the steps by hand. */
function remedyOf(facts: Facts, choices: Choices): Remedy {
  const goal = choices.goal === 'install' ? 'enable' : choices.goal;
  const command = facts.proxy.kind === 'daemonset' ? { command: turnOn } : {};
  const cannot = whyNotRestored(facts, choices);
  if (cannot !== null) return { steps: [cannot, thenWhat[goal] ?? 'Check again.'], fixIn: 'proxy', ...command };
  return {
    steps: ['Turn the service proxy on again: `signalbox apply --goal restore`.', thenWhat[goal] ?? 'Check again.'],
    fixIn: 'proxy',
    goal: 'restore',
    ...(goal === 'restore' ? { autofix: restoredBy[facts.proxy.kind] ?? '' } : {}),
    ...command,
  };
}

const restoredBy: Partial<Record<Facts['proxy']['kind'], string>> = {
  daemonset: 'proxy.restore',
  openshift: 'proxy.restore.openshift',
};

function whyNotRestored(facts: Facts, choices: Choices): string | null {
  const { kind, managedBy } = facts.proxy;
  if (kind === 'openshift') return null;
  if (kind === 'none')
    return 'Install kube-proxy again as it was made: it was deleted, and no plan has what it was made of.';
  if (kind !== 'daemonset')
    return 'Turn it on where it was turned off: on this platform it is not started through the API.';
  if (managedBy !== null && managedBy !== names.operatorDeployment && !isManagerPaused(facts, choices))
    return `Turn it on in ${managedBy}, which writes its DaemonSet and would turn it off again.`;
  return isTurnedOff(facts)
    ? null
    : 'Look at its DaemonSet: none of the selectors that turn it off is set, and it is scheduled on no node.';
}

/** Whether one of the two selectors turns the proxy off; a plan cannot undo other reasons. */
function isTurnedOff({ proxy }: Facts): boolean {
  return proxy.evidence.some(({ object, path }) => object === kubeProxyId && path.includes('.nodeSelector'));
}
