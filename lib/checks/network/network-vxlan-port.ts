import type { Facts } from '#lib/facts/index.ts';
import { type Choices, isByOperator, platformIn, releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck, type Result } from '../check.ts';
import { nothingToEvaluate } from '../framework/upgrade-check.ts';
import { felixEvidence, felixField, felixId, patchFelix } from '../reading/felix.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { targetRelease } from '../reading/target-release.ts';
import { crosses, upgradeTarget } from '../reading/upgrade.ts';

/** The port that the operator writes on MKE for eBPF mode, only if none is set (calico.md §3.5). */
const wanted = 8472;

/** Port and VNI of MKE's own overlay, which are also Felix's defaults (tigera/operator#3435, tigera/operator#4144; read 2026-11-23). */
const taken = { port: 4789, vni: 4096 };

/** From this release on, the device of eBPF mode needs a port of its own; earlier ones share a port if the VNI differs. No earlier operator writes a port (tigera/operator#4144). */
const takesWholePort = 'v3.31.0';

/** The operator keeps a port that it wrote for the standard data plane, on which MKE's own overlay listens. */
export const networkVxlanPort = defineCheck({
  id: 'network.vxlan-port',
  group: 'Network',
  severity: 'warning',
  goals: ['enable', 'upgrade'],
  reads: ['platform', 'felix', 'dataplane', 'installation'],
  title: 'The VXLAN port is free for eBPF mode',
  gap: 'The VXLAN port is taken',
  topic: 'VXLAN port',
  ifIgnored: 'NodePort traffic between nodes is lost',
  consequence:
    "On MKE, port 4789 belongs to the engine's own overlay: with eBPF, NodePort traffic between nodes is lost.",
  remedy: {
    steps: [
      'Open UDP port 8472 between all nodes.',
      'Then set vxlanPort to 8472 and bpfHostConntrackBypass to false, in a maintenance window.',
      'Check again.',
    ],
    details: ['From then on VXLAN uses only that port. The operator sets both fields only in a new cluster.'],
    command: patchFelix({ vxlanPort: wanted, bpfHostConntrackBypass: false }),
    fixIn: 'compatibility',
  },
  source: 'calico.md §3.5; tigera/operator#4144; tigera/docs#2574',
  appliesTo: ({ platform, installation: { dataplane } }, choices) => {
    if (platformIn({ platform }, choices) !== 'mke')
      return {
        because: 'This is not MKE, whose own overlay uses that port.',
        restsOn: choices.platform ? [] : ['platform'],
      };
    const isOnEbpf = dataplane.wanted === 'BPF' || !['Iptables', 'Nftables', 'VPP'].includes(dataplane.actual);
    return choices.goal !== 'upgrade' || isOnEbpf
      ? true
      : { because: 'The data plane is not eBPF.', restsOn: ['dataplane'] };
  },
  run: (facts, choices) => {
    const port = felixField(facts, 'vxlanPort') ?? null;
    const evidence = [felixEvidence(facts, 'vxlanPort')];
    if (port !== null && port !== taken.port)
      return { kind: 'pass', because: `The port is ${String(port)}.`, evidence, restsOn: ['platform', 'felix'] };
    const release = targetRelease(facts, choices);
    if (release === null && facts.installation.method !== 'none')
      return { kind: 'unknown', because: 'The release of Calico was not read, and it decides who sets the port.' };
    const sharesPort = release !== null && releaseAtLeast(release, takesWholePort) === 'no';
    const vni = felixField(facts, 'vxlanVNI') ?? taken.vni;
    if (sharesPort && vni !== taken.vni)
      return {
        kind: 'pass',
        because: `Until v3.31 the VNI tells VXLAN devices of one port apart, and that of Calico is ${String(vni)}.`,
        evidence: [...evidence, felixEvidence(facts, 'vxlanVNI')],
        restsOn: ['platform', 'felix', 'installation'],
      };
    if (facts.installation.method === 'unknown')
      return {
        kind: 'unknown',
        because: 'The way in which Calico was installed was not recognised, and it decides who sets the port.',
      };
    const hasOperator = facts.installation.method === 'none' || isByOperator(facts.installation);
    if (port === null && !sharesPort && hasOperator)
      return choices.goal === 'upgrade'
        ? moved(facts, choices)
        : {
            kind: 'pass',
            because: 'The operator sets it with the switch.',
            evidence,
            restsOn: ['platform', 'felix', 'installation'],
          };
    const setting = port === null ? 'sets no vxlanPort, so that the agents take 4789' : 'says vxlanPort: 4789';
    return {
      kind: 'fail',
      because: `FelixConfiguration default ${setting}, which MKE needs itself; the operator does not change it.`,
      subjects: [{ ...objectSubject(felixId), detail: `vxlanPort is ${port === null ? 'not set' : '4789'}` }],
      evidence,
    };
  },
});

/** On a cluster in eBPF mode, the new operator writes the port if none is set: all VXLAN traffic changes its port during the run. */
function moved(facts: Facts, choices: Choices): Result {
  const from = facts.installation.version;
  const target = upgradeTarget(facts, choices);
  const evidence = [felixEvidence(facts, 'vxlanPort')];
  if (from === null || target.kind !== 'release') return nothingToEvaluate();
  const way = crosses({ from, to: target.version, origin: target.origin }, takesWholePort);
  if (way === 'no')
    return {
      kind: 'pass',
      because: `From ${from} to ${target.version} the operator leaves the port as it is.`,
      evidence,
    };
  return {
    kind: 'fail',
    because: `The operator of ${target.version} sets vxlanPort to ${wanted}: VXLAN traffic between all nodes moves there from ${taken.port} during the upgrade.`,
    subjects: [{ ...objectSubject(felixId), detail: `vxlanPort is not set, and will be ${wanted}` }],
    remedy: {
      ...networkVxlanPort.remedy,
      steps: [
        `Open UDP port ${wanted} between all nodes before the upgrade begins.`,
        'Then move the port yourself, in a maintenance window: traffic between nodes breaks off until every agent has it.',
        'Check again. Or accept this, and the upgrade moves it.',
      ],
    },
    evidence,
  };
}
