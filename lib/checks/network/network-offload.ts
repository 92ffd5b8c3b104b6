import { agreeing } from '#lib/base/words.ts';
import { cloudOf, releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { felixEvidence, felixField, patchFelix } from '../reading/felix.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { targetRelease } from '../reading/target-release.ts';
import { listed, shareOf } from '../wording/sentences.ts';

/** RN v3.28.0: from this release on, the network card computes checksums of VXLAN packets (pain D3). */
const offloadsFrom = 'v3.28.0';
const switchedOff = /\bChecksumOffloadBroken=true\b/i;

export const networkOffload = defineCheck({
  id: 'network.offload',
  group: 'Network',
  severity: 'warning',
  goals: ['upgrade'],
  reads: ['installation', 'pools', 'nodes', 'felix'],
  title: 'Network cards compute VXLAN checksums correctly',
  gap: 'Network cards may miscompute VXLAN checksums',
  topic: 'Checksums of VXLAN',
  ifIgnored: 'Nodes lose pods on other nodes',
  consequence:
    'After its next restart, a node reaches pods on other nodes by ping only. Everything else is lost or takes a minute, because the virtual card corrupts the checksums.',
  remedy: {
    steps: [
      'Set `featureDetectOverride: ChecksumOffloadBroken=true` in FelixConfiguration default before the upgrade.',
      'Or accept this, and test one restarted node after the upgrade.',
    ],
    details: [
      'The setting makes the kernel compute the checksums. To test a node, restart it, and send more than a ping to its pods before you restart others.',
    ],
    command: patchFelix({ featureDetectOverride: 'ChecksumOffloadBroken=true' }),
    fixIn: 'compatibility',
  },
  source: 'checks.md › Network; pain D3',
  appliesTo: (facts, choices) => {
    const { version } = facts.installation;
    const target = targetRelease(facts, choices);
    const from = version === null ? 'undecided' : releaseAtLeast(version, offloadsFrom);
    if (from === 'yes') return { because: `Calico ${version} does so already.`, restsOn: ['installation'] };
    const to = target === null ? 'undecided' : releaseAtLeast(target, offloadsFrom);
    if (to === 'no') return { because: `${target} does not do so either.`, restsOn: ['installation'] };
    return true;
  },
  run: (facts) => {
    const override = felixField(facts, 'featureDetectOverride');
    const evidence = [felixEvidence(facts, 'featureDetectOverride')];
    if (typeof override === 'string' && switchedOff.test(override)) {
      return {
        kind: 'pass',
        because: 'featureDetectOverride keeps the sums in the kernel.',
        evidence,
        restsOn: ['felix'],
      };
    }
    if (!facts.pools.some(({ encapsulation, disabled }) => !disabled && encapsulation.startsWith('VXLAN'))) {
      return { kind: 'pass', because: 'No IP pool uses VXLAN.', restsOn: ['pools'] };
    }
    const nodes = agentNodes(facts);
    const otherwise = notMeasured(
      `the upgrade crosses ${offloadsFrom}, and vmxnet3 network cards are known to go wrong.`,
      'A pod on each node will send datagrams through VXLAN to other nodes, whose sums are left to its network card.',
      { evidence },
    );
    const measured = asMeasured(facts, nodes, 'checksums', {
      passed: 'Packets in VXLAN arrive with right sums.',
      otherwise,
    });
    if (measured.kind !== 'unknown') return measured;
    const onVsphere = nodes.filter(({ providerID }) => cloudOf(providerID)?.title === 'vSphere');
    if (onVsphere.length > 0) {
      return {
        kind: 'fail',
        because: `${shareOf(onVsphere.length, nodes.length, 'node')} ${agreeing(onVsphere.length, 'is a', 'are')} vSphere ${agreeing(onVsphere.length, 'machine', 'machines')}: ${listed(onVsphere.map(({ name }) => name))}. The upgrade crosses ${offloadsFrom}, and pods talk through VXLAN.`,
        subjects: onVsphere.map((node) => nodeSubject(node, node.providerID ?? '')),
        evidence: [
          ...evidence,
          ...onVsphere.slice(0, 50).map((node) => nodeEvidence(node, 'spec.providerID', node.providerID)),
        ],
      };
    }
    return measured;
  },
});
