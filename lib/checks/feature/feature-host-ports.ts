import { agreeing, counted } from '#lib/base/words.ts';
import type { FactKey } from '#lib/facts/index.ts';
import { releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { felixEvidence, felixField, patchFelix } from '../reading/felix.ts';
import { plannedField } from '../reading/planned-installation.ts';
import { kindsAndNamesOf } from '../reading/subject-names.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';
import { listed } from '../wording/sentences.ts';

/** The first operator that accepts hostPorts with eBPF (calico.md §2.4). */
const operatorTakesFrom = 'v1.31.0';
/** The first Calico that does not bypass the host's connection tracking, which host ports need (pain E1). */
const bypassOffFrom = 'v3.30.0';

const withoutThem = 'Or give these pods a Service of type NodePort or LoadBalancer instead.';
const stopTheBypass: Remedy = {
  steps: [
    'Upgrade Calico to v3.30 or later first, or set `bpfHostConntrackBypass: false` in FelixConfiguration default, with the command below.',
    withoutThem,
    'Check again.',
  ],
  command: patchFelix({ bpfHostConntrackBypass: false }),
  fixIn: 'options',
};
/** No configuration helps with this release. */
const upgradeFirst: Remedy = {
  steps: ['Upgrade Calico to v3.30 or later first, and its operator with it.', withoutThem, 'Check again.'],
};
const leaveThemOn: Remedy = {
  steps: [
    'Leave `calicoNetwork.hostPorts` of the Installation unset, or Enabled: `--set calicoNetwork.hostPorts=Enabled`.',
    withoutThem,
    'Check again.',
  ],
  fixIn: 'options',
};

/** What prevents host ports, as a phrase, and what to do about it. */
type Obstacle = { readonly phrase: string; readonly way: Remedy };

export const featureHostPorts = defineCheck({
  id: 'feature.host-ports',
  group: 'Features',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['installation', 'felix', 'hostPorts'],
  title: 'Host ports of pods keep working',
  gap: 'Host ports of pods stop working',
  topic: 'Host ports of pods',
  ifIgnored: 'These ports time out',
  consequence: 'These pods answer at their host port only from the same node, or not at all. Clients time out.',
  remedy: stopTheBypass,
  source: 'pain E1',
  run: (facts, choices) => {
    const release = targetRelease(facts, choices);
    const { operatorVersion } = facts.installation;
    const hostPorts = plannedField(facts, choices, 'calicoNetwork.hostPorts');
    const bypass = felixField(facts, 'bpfHostConntrackBypass');
    const current = release === null ? 'undecided' : releaseAtLeast(release, bypassOffFrom);
    // An install brings the release's operator.
    const operator =
      choices.goal === 'install' || operatorVersion === null
        ? 'yes'
        : releaseAtLeast(operatorVersion, operatorTakesFrom);
    // On a running cluster the switch fixes the field; an install keeps what it starts with.
    const isWanted = hostPorts.from === 'choices' || choices.goal === 'install';
    const isRefused = isWanted && hostPorts.value === 'Disabled';

    const why: Obstacle | null = isRefused
      ? { phrase: 'the Installation is to have hostPorts Disabled', way: leaveThemOn }
      : operator === 'no'
        ? { phrase: `operator ${operatorVersion} refuses host ports together with eBPF`, way: upgradeFirst }
        : current === 'no' && bypass !== false
          ? {
              phrase: `${releaseName(release)} goes past the host's connection table, which host ports need`,
              way: stopTheBypass,
            }
          : null;
    const { hostPorts: found } = facts.features;
    if (why === null && current === 'undecided' && bypass !== false && found.length > 0) {
      return {
        kind: 'unknown',
        because: `${counted(found.length, 'workload')} ${agreeing(found.length, 'asks', 'ask')} for ports of the node, and the release that forwards them was not read: ${kindsAndNamesOf(found)}.`,
        subjects: found,
      };
    }
    if (why === null && current !== 'undecided') {
      const restsOn: FactKey[] = current === 'yes' ? ['installation'] : ['installation', 'felix'];
      return { kind: 'pass', because: `${releaseName(release)} forwards host ports in eBPF mode.`, restsOn };
    }
    const { count, first } = facts.features.otherPods;
    if (found.length === 0 && count > 0) {
      return {
        kind: 'unknown',
        because: `No workload asks for a port of its node; whether ${agreeing(count, 'the pod', `the ${count} pods`)} that no workload made ${agreeing(count, 'does', 'do')} is not read: ${listed(first, 3)}${count > first.length ? ' and others' : ''}.`,
      };
    }
    if (found.length === 0) {
      return { kind: 'pass', because: 'No workload asks for a port of its node.', restsOn: ['hostPorts'] };
    }
    return {
      kind: 'fail',
      because: `${counted(found.length, 'workload')} ${agreeing(found.length, 'asks', 'ask')} for ports of the node, and ${why?.phrase}: ${kindsAndNamesOf(found)}.`,
      subjects: found,
      ...(why ? { remedy: why.way } : {}),
      evidence: [felixEvidence(facts, 'bpfHostConntrackBypass')],
    };
  },
});
