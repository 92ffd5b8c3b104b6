import { carriesEndpoint, proxyIsOff } from '#lib/checks/index.ts';
import { type Facts, isRolledOut } from '#lib/facts/index.ts';
import { isChartOfVersion, type ObjectRef, objectId } from '#lib/spec/index.ts';
import { expectationHolds, fieldAt } from './objects/field.ts';
import { agents, installation } from './objects/object-refs.ts';
import { type Objects, objectOf } from './objects/objects.ts';
import type { Condition } from './schema/condition.ts';

/** What facts say about a condition without asking the cluster again. Only `yes` spares an operation. */
export type HoldsByFacts = 'yes' | 'no' | 'unknown';

type Known = { facts: Facts; before: Objects };

type Reading<K extends Condition['kind']> = (condition: Extract<Condition, { kind: K }>, known: Known) => HoldsByFacts;

const cannotTell = (): HoldsByFacts => 'unknown';

const readings: { [K in Condition['kind']]: Reading<K> } = {
  journalled: cannotTell,
  exists: ({ target }, { before }) => decided(before, target, (object) => object !== null),
  // Nothing is created before the run, so an object that exists is somebody else's.
  made: ({ target }, { before }) => (objectOf(before, target) === null ? 'no' : 'unknown'),
  unmade: cannotTell,
  absent: ({ target }, { before }) => decided(before, target, (object) => object === null),
  'all-absent': ({ targets }, known) =>
    holdsByFacts({ kind: 'all', of: targets.map((target) => ({ kind: 'absent', target })) }, known),
  // Their existence does not show that they are those of this release.
  established: ({ targets }, { before }) =>
    targets.some((target) => objectOf(before, target) === null) ? 'no' : 'unknown',
  fields: ({ target, fields }, { before }) =>
    decided(before, target, (object) => fields.every((field) => expectationHolds(object, field))),
  rollout: ({ target }, { before }) => decided(before, target, (object) => object !== null && isRolledOut(object)),
  'no-pods': ({ target }, { before }) => decided(before, target, hasNoPods),
  'endpoint-active': ({ endpoint }, { facts }) => {
    if (endpoint === null || facts.endpoint.inUse.length === 0) return 'unknown';
    return answer(facts.endpoint.inUse.every((one) => carriesEndpoint(one, endpoint)));
  },
  'bpf-active': (_condition, { facts }) => dataplane(facts, 'BPF'),
  'bpf-inactive': cannotTell,
  'proxy-back': cannotTell,
  'proxy-gone': (_condition, { facts }) => {
    const isOff = proxyIsOff(facts);
    return isOff === null ? 'unknown' : answer(isOff);
  },
  'ipvs-gone': cannotTell,
  reconciled: cannotTell,
  'agents-restarted': cannotTell,
  'status-not-available': cannotTell,
  'installation-available': ({ version }, { facts, before }) => installed(version, facts, before),
  upgraded: ({ version, workloads }, { facts, before }) =>
    workloads === undefined ? installed(version, facts, before) : 'unknown',
  'fields-adopted': cannotTell,
  'owner-references-gone': cannotTell,
  'owners-served': cannotTell,
  'owner-references-restored': cannotTell,
  'only-ours-left': cannotTell,
  'check-passes': cannotTell,
  'helm-deployed': ({ release, namespace, chart }, { facts }) => {
    const found = facts.resources.helmReleases.find((one) => one.name === release && one.namespace === namespace);
    if (!found || (chart !== undefined && found.chart === null)) return 'unknown';
    return answer(found.status === 'deployed' && (chart === undefined || isChartOfVersion(found.chart, chart)));
  },
  // Their number says neither whose they are nor what labels they have.
  'auto-host-endpoints': cannotTell,
  'flow-logs-active': cannotTell,
  'flow-logs-inactive': cannotTell,
  sidecars: cannotTell,
  'product-pods-ready': cannotTell,
  version: cannotTell,
  'services-answer': cannotTell,
  all: ({ of }, known) => {
    const answers = of.map((condition) => holdsByFacts(condition, known));
    if (answers.includes('no')) return 'no';
    return answers.every((one) => one === 'yes') ? 'yes' : 'unknown';
  },
};

/** Whether the facts show that a condition holds. `before`: the objects right before the operation. Pure. */
export function holdsByFacts<K extends Condition['kind']>(
  condition: Extract<Condition, { kind: K }>,
  known: Known,
): HoldsByFacts {
  return (readings[condition.kind] as Reading<K>)(condition, known);
}

function answer(value: boolean): HoldsByFacts {
  return value ? 'yes' : 'no';
}

function decided(objects: Objects, ref: ObjectRef, test: (object: Objects[string]) => boolean): HoldsByFacts {
  return Object.hasOwn(objects, objectId(ref)) ? answer(test(objectOf(objects, ref) ?? null)) : 'unknown';
}

function dataplane(facts: Facts, wanted: string): HoldsByFacts {
  const { actual } = facts.installation.dataplane;
  return actual === 'unknown' ? 'unknown' : answer(actual === wanted);
}

/** Whether the agents are of that version and none is being replaced: the operator writes the version when it is done. */
function installed(version: string, facts: Facts, before: Objects): HoldsByFacts {
  const reported = fieldAt(objectOf(before, installation), ['status', 'calicoVersion']);
  const agentSet = objectOf(before, agents({ facts }));
  if (agentSet === undefined) return 'unknown';
  return answer(reported === version && agentSet !== null && isRolledOut(agentSet));
}

/** A DaemonSet that does not exist has no pods either. One whose controller has not seen its latest change may want some again. */
function hasNoPods(object: Objects[string]): boolean {
  const count = (field: string) => fieldAt(object, ['status', field]) ?? 0;
  if (object === null || object === undefined) return true;
  return (
    isRolledOut(object) &&
    fieldAt(object, ['status', 'desiredNumberScheduled']) === 0 &&
    count('currentNumberScheduled') === 0 &&
    count('numberMisscheduled') === 0
  );
}
