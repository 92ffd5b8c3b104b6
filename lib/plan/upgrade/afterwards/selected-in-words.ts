import { counted, inList } from '#lib/base/words.ts';
import type { PlanContext } from '../../operation.ts';

/** A sentence that names the global policies that apply to hosts once there are automatic host endpoints. */
export function selectedInWords({ upgrade }: PlanContext['facts']): string {
  const { wouldSelect } = upgrade.hostEndpoints;
  if (wouldSelect.length === 0)
    return 'No global policy selects a host by the labels that nodes have: until one does, everything stays allowed.';
  const each = wouldSelect.map(({ policy, selector, nodes }) =>
    nodes === null
      ? `${policy} (its selector ${JSON.stringify(selector)} cannot be read)`
      : `${policy} (${counted(nodes.count, 'node')}: ${nodes.first.slice(0, 3).join(', ')}${nodes.count > 3 ? ' …' : ''})`,
  );
  return `From then on global policies apply to hosts to which they do not apply now: ${inList(each)}.`;
}
