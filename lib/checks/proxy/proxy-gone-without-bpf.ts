import { type Goal, names } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';
import { proxyIsOff, proxySubject } from '../reading/proxy.ts';

const whatToDo: Record<Exclude<Goal, 'install'>, string[]> = {
  enable: [
    'Turn the service proxy on again: that is the quickest way out.',
    'Or accept this and go on to eBPF: that restores the Services too, on every node at the same moment. The endpoint must not be the ClusterIP, which is down as well.',
  ],
  upgrade: ['Turn the service proxy on, or enable eBPF, before an upgrade restarts the agents.', 'Check again.'],
  undo: ['Turn the service proxy on and wait until its rules are on every node.', 'Check again.'],
};

/**
 * Takes away the selectors that turn kube-proxy off: the one of Calico's documentation, and the operator's own, which it leaves behind when it no longer
 * manages kube-proxy (calico.md §3; operations.md › proxy.disable.managed). Changes nothing where neither is set.
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
  goals: ['enable', 'upgrade', 'undo'],
  reads: ['proxy', 'dataplane'],
  title: 'Something serves Services: the service proxy or eBPF',
  gap: 'Services are down: neither proxy nor eBPF serves them',
  topic: 'Serving of Services',
  consequence:
    'Connections that exist go on; new ones through a Service fail, the API server at its ClusterIP included.',
  remedy: { steps: whatToDo.enable, fixIn: 'proxy' },
  source: 'pain B7',
  run: (facts, { goal }) => {
    const off = proxyIsOff(facts);
    const { actual } = facts.installation.dataplane;
    if (actual === 'BPF' && isCovered(facts, 'dataplane'))
      return { kind: 'pass', because: 'The data plane is eBPF.', restsOn: ['dataplane'] };
    if (off === false)
      return { kind: 'pass', because: 'The service proxy runs.', evidence: facts.proxy.evidence, restsOn: ['proxy'] };
    const isTold = off !== null && actual !== 'unknown' && isCovered(facts, 'proxy', 'dataplane');
    if (!isTold) {
      return {
        kind: 'unknown',
        because: 'Nothing was found that serves Services on the nodes, and nothing rules it out.',
      };
    }
    const state = facts.proxy.kind === 'none' ? 'there is none' : 'it is scheduled on no node';
    return {
      kind: 'fail',
      outage: true,
      severity: goal === 'enable' ? 'warning' : 'blocking',
      because: `The service proxy is gone (${state}) while the data plane is ${actual === 'mixed' ? 'eBPF on some nodes only' : actual}: Services are down now${actual === 'mixed' ? ' on the others' : ''}.`,
      subjects: [proxySubject(facts, state)],
      remedy: {
        steps: whatToDo[goal === 'install' ? 'enable' : goal],
        fixIn: 'proxy',
        ...(facts.proxy.kind === 'daemonset' ? { command: turnOn } : {}),
      },
      evidence: [...facts.proxy.evidence, ...facts.installation.evidence],
    };
  },
});
