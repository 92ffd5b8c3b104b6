import { cgroupFolder } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices, ReleaseContents } from '#lib/spec/index.ts';
import type { Plan } from './plan.ts';
import type { PlannedOperation } from './schema/planned-operation.ts';

/** The conditions under which the proof of a plan's nodes holds; nothing for plans that wait for no proof. Pure. */
export function madeUnder(
  facts: Facts,
  choices: Choices,
  release: ReleaseContents | null,
  operations: readonly PlannedOperation[],
): Pick<Plan, 'madeUnder'> {
  if (!operations.some(({ id }) => id === 'bpf.active')) return {};
  const brings = choices.goal === 'install' || choices.goal === 'upgrade';
  const byKernel = Map.groupBy(facts.nodes, ({ kernel }) => kernel);
  return {
    madeUnder: {
      release: (brings ? release?.version : facts.installation.version) ?? null,
      // The fix changes the folder during the run.
      cgroupFolder: choices.fix.includes('node.cgroup-path') ? null : cgroupFolder(facts),
      kernels: [...byKernel].map(([kernel, nodes]) => ({ kernel, nodes: nodes.map(({ name }) => name) })),
    },
  };
}
