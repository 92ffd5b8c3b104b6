import { cgroupPathFor, flexVolumePathFor, isImmutable, runsAgent } from '#lib/spec/index.ts';
import { fieldAt } from './objects/field.ts';
import { felix } from './objects/object-refs.ts';
import { objectOf } from './objects/objects.ts';
import type { PlanContext } from './operation.ts';

/** Values of fixes that follow from the nodes. Undefined if the fix was not chosen or the field is set already. */

/** `node.cgroup-path`: FelixConfiguration cgroupV2Path. */
export function fixedCgroupPath(context: PlanContext): string | undefined {
  if (!context.choices.fix.includes('node.cgroup-path')) return undefined;
  if (fieldAt(objectOf(context.facts.resources.objects, felix(context)), ['spec', 'cgroupV2Path'])) return undefined;
  return cgroupPathFor(immutableSystemsOf(context)) ?? undefined;
}

/** `node.flexvolume-path`: Installation flexVolumePath, unless the plan sets it otherwise. */
export function fixedFlexVolumePath(context: Pick<PlanContext, 'choices' | 'facts'>): string | undefined {
  const { fix, set } = context.choices;
  if (!fix.includes('node.flexvolume-path') || Object.hasOwn(set, 'flexVolumePath')) return undefined;
  const systems = immutableSystemsOf(context);
  return systems.length === 0 ? undefined : flexVolumePathFor(systems);
}

function immutableSystemsOf({ facts }: Pick<PlanContext, 'facts'>): string[] {
  return facts.nodes
    .filter((node) => runsAgent(node) && isImmutable(node.distribution.id))
    .map(({ distribution }) => distribution.id);
}
