import type { FactKey, Facts } from '#lib/facts/index.ts';
import { type Gate, inAnyRange, kernelAtLeast, kernelGates, releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Severity } from '../findings.ts';
import { felixField } from '../reading/felix.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { withDetails } from '../reading/subject-names.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';
import { listed, shareOf } from '../wording/sentences.ts';

/** Conditions of a row beside versions: V3 needs logging programs, which are off by default (calico.md §5). */
const further: Partial<Record<Gate['id'], (facts: Facts) => boolean>> = {
  V3: (facts) => {
    const level = felixField(facts, 'bpfLogLevel');
    return level !== undefined && level !== null && level !== 'Off';
  },
};

const blocks: ReadonlySet<Gate['action']> = new Set(['block', 'change']);

export const nodeKernelKnownBad = defineCheck({
  id: 'node.kernel-known-bad',
  group: 'Nodes',
  severity: 'blocking',
  followsFrom: { 'node.architecture': 'same-subjects', 'node.kernel': 'same-subjects' },
  goals: ['install', 'enable', 'upgrade'],
  reads: ['nodes', 'installation', 'felix'],
  title: 'No kernel has a known fault with this release',
  gap: 'Kernels have a known fault with this release',
  topic: 'Known faults of these kernels',
  ifIgnored: 'These nodes lose their network',
  consequence:
    'The agent restarts again and again, or the kernel refuses its programs. The node loses its network when the new agent starts.',
  remedy: {
    steps: ['Upgrade Calico before these kernels.', 'Check again.'],
    command: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,KERNEL:.status.nodeInfo.kernelVersion',
  },
  source: 'pain §2 V2–V4, C9',
  appliesTo: ({ installation: { method } }, { goal }) =>
    goal !== 'install' && method === 'none' ? { because: 'No Calico runs here.', restsOn: ['installation'] } : true,
  run: (facts, choices) => {
    const nodes = agentNodes(facts);
    const release = targetRelease(facts, choices);
    // Thousands of nodes run a handful of kernels.
    const kernels = [...new Set(nodes.map(({ kernel }) => kernel))];
    const applicable = kernelGates
      .map((gate) => ({
        gate,
        release: release === null ? ('undecided' as const) : inAnyRange(release, gate.toRelease ?? []),
        kernels: new Map(kernels.map((kernel) => [kernel, inAnyRange(kernel, gate.kernel ?? [])])),
      }))
      .filter(({ release: answer }) => answer !== 'no');
    const met = applicable.filter(({ gate }) => further[gate.id]?.(facts) ?? true);
    // FelixConfiguration is needed only if a kernel matches a row that depends on it; with etcd it may be unreadable.
    const asksFelix = applicable.some(
      ({ gate, kernels: answers }) => further[gate.id] && [...answers.values()].some((one) => one !== 'no'),
    );
    const certain = met.filter(({ release: answer }) => answer === 'yes');
    const bad = nodes.flatMap((node) => {
      const own = certain.filter(({ kernels: answers }) => answers.get(node.kernel) === 'yes').map(({ gate }) => gate);
      return own.length === 0 ? [] : [{ node, gates: own }];
    });
    if (bad.length > 0) {
      const subjects = bad.map(({ node, gates }) =>
        nodeSubject(node, `${node.kernel}: ${listed(gates.map(({ id }) => id))}`),
      );
      const gates = [...new Set(bad.flatMap((one) => one.gates))];
      return {
        kind: 'fail',
        severity: severityOf(gates),
        because: `${shareOf(bad.length, nodes.length, 'node')} cannot run ${releaseName(release)} well: ${withDetails(subjects)}. ${gates.map(({ advice }) => advice).join(' ')}`,
        subjects,
        evidence: bad.slice(0, 50).map(({ node }) => nodeEvidence(node, 'status.nodeInfo.kernelVersion', node.kernel)),
      };
    }
    const open = nodes.filter((node) => met.some(({ kernels: answers }) => answers.get(node.kernel) !== 'no'));
    const restsOn: FactKey[] = ['nodes', 'installation', ...(asksFelix ? (['felix'] as const) : [])];
    if (open.length === 0) return { kind: 'pass', because: `None is${rarely(kernels, release)}.`, restsOn };
    const subjects = open.map((node) => nodeSubject(node, node.kernel || 'tells no kernel'));
    const because =
      release === null
        ? `These kernels go wrong with some releases, and the one to run is not settled: ${withDetails(subjects)}.`
        : `${shareOf(open.length, nodes.length, 'node')} cannot be judged by ${open.length === 1 ? 'its kernel' : 'their kernels'}: ${withDetails(subjects)}.`;
    return { kind: 'unknown', because, subjects };
  },
});

/** A note on a kernel fault that happens every few weeks on busy nodes, and that Calico avoids from v3.32.0 on; not worth stopping for (pain C9). */
function rarely(kernels: readonly string[], release: string | null): string {
  const isOlder = release !== null && releaseAtLeast(release, 'v3.32.0') === 'no';
  const some = isOlder && kernels.some((kernel) => kernelAtLeast(kernel, '6.16') === 'no');
  return some
    ? '. On busy nodes kernels before 6.16 have panicked, rarely, with Calico before v3.32.0; bpfDisableGROForIfaces avoids that'
    : '';
}

function severityOf(gates: readonly Gate[]): Severity {
  return gates.some(({ action }) => blocks.has(action)) ? 'blocking' : 'warning';
}
