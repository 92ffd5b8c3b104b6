import type { Facts } from '#lib/facts/index.ts';
import type { MeasuredPlan, TestOutcome } from '#lib/kube/index.ts';
import { type Choices, releaseToInstall } from '#lib/spec/index.ts';
import { forTestsBetweenNodes, ofMade } from './kept-measurement.ts';
import { flexVolumeFolder, probeImages, releaseBrought } from './probe-images.ts';
import { vxlanAddresses } from './vxlan-addresses.ts';

/** What tests of the nodes depend on in a plan. `release`: the one that runs on the nodes afterwards; a switch to eBPF does not change it. */
export function measuredPlan(facts: Facts, choices: Choices): MeasuredPlan {
  const { installation, cluster } = facts;
  return {
    release:
      releaseBrought(facts, choices) ??
      installation.version ??
      choices.release ??
      releaseToInstall(cluster.kubernetesVersion),
    images: [...probeImages(facts, choices).brought],
    flexVolumeFolder: flexVolumeFolder(facts, choices) ?? null,
  };
}

/** The facts with those measurements that were made for these answers. What was tested for another plan counts as not tested. */
export function measuredFor(facts: Facts, choices: Choices): Facts {
  const { measured } = facts;
  if (!measured?.plan) return facts;
  const [then, now] = [measured.plan, measuredPlan(facts, choices)];
  const notRun = (because: string): TestOutcome => ({ kind: 'not-run', because });
  const others = {
    ...(then.release === now.release ? {} : { programs: notRun(`those of ${then.release} were tested`) }),
    ...(then.flexVolumeFolder === now.flexVolumeFolder
      ? {}
      : { mounts: notRun('another FlexVolume folder was tested') }),
  };
  const untested = untestedAddress(facts, choices);
  const vxlan = notRun(`VXLAN to ${untested} was not tested`);
  const isAnswered = { passed: now.images.every((one) => then.images.includes(one)), failed: areOf(then, now) };
  const nodes = measured.nodes.map((node) => {
    const { images } = node.tests;
    const isOther = images.kind !== 'not-run' && !isAnswered[images.kind];
    return {
      ...node,
      tests: {
        ...node.tests,
        ...others,
        ...(untested === null ? {} : ofMade(node.tests, forTestsBetweenNodes(vxlan))),
        ...(isOther ? { images: notRun('other images were pulled') } : {}),
      },
    };
  });
  return { ...facts, measured: { ...measured, nodes } };
}

/**
 * An address that VXLAN uses now and that was not tested: a pool of another family was added, or the agents choose others. Null if all were tested,
 * or if the addresses are unknown.
 */
function untestedAddress(facts: Facts, choices: Choices): string | null {
  const addressesOf = vxlanAddresses(facts, choices);
  const tested = new Map(facts.measured?.nodes.map(({ node, addresses }) => [node, addresses]));
  for (const node of facts.nodes) {
    const then = tested.get(node.name);
    const { address, addressV6 } = addressesOf(node);
    const lacking = [address, addressV6].find((one) => one && then !== undefined && !then.includes(one));
    if (lacking) return lacking;
  }
  return null;
}

/** An image that could not be pulled may be any of those that were tried. */
function areOf(then: MeasuredPlan, now: MeasuredPlan): boolean {
  return then.images.length === 0 ? now.images.length === 0 : then.images.some((one) => now.images.includes(one));
}
