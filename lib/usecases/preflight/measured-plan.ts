import type { Facts } from '#lib/facts/index.ts';
import type { MeasuredPlan, TestOutcome } from '#lib/kube/index.ts';
import { type Choices, releaseToInstall } from '#lib/spec/index.ts';
import { ofAllBetweenNodes, ofMade } from './kept-measurement.ts';
import { flexVolumeFolder, probeImages, releaseBrought } from './probe-images.ts';
import { vxlanAddresses } from './vxlan-addresses.ts';

/** Of a plan, what tests of the nodes depend on. `release`: that runs on the nodes after it; a switch to eBPF changes none. */
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

/** The facts with what was measured for these answers: what was tested for another plan was not tested for this one. */
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
        ...(untested === null ? {} : ofMade(node.tests, ofAllBetweenNodes(vxlan))),
        ...(isOther ? { images: notRun('other images were pulled') } : {}),
      },
    };
  });
  return { ...facts, measured: { ...measured, nodes } };
}

/**
 * One between which and others VXLAN goes now, and was not tested then: a pool of another family was added, or the agents are to take others. Null: each
 * was, or nobody said which were.
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

/** One that could not be pulled may be any of those that were tried. */
function areOf(then: MeasuredPlan, now: MeasuredPlan): boolean {
  return then.images.length === 0 ? now.images.length === 0 : then.images.some((one) => now.images.includes(one));
}
