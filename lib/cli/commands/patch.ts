import { isRecord, mergePatch } from '#lib/base/records.ts';
import { type JsonPatchOperation, jsonPatch, type KubeObject } from '#lib/kube/index.ts';
import { carryOutChanges, changeFlags, changeTo, withTargets } from '../calico/change-objects.ts';
import { namedObjects, selectionFlags } from '../calico/named-objects.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { changingFlags, outputFlags } from '../global-flags.ts';
import { parseData, readDataFile } from '../read-file.ts';
import { formatOf } from '../terminal/output.ts';

/** Directives of strategic merge patches (kubernetes.io/docs › Update API objects in place), which Calico's kinds do not support. */
const directives = /^\$(?:patch|retainKeys|setElementOrder\/|deleteFromPrimitiveList\/)/;

export const patch: Command = {
  name: 'patch',
  arguments: 'KIND NAME -p PATCH | KIND/NAME -p PATCH',
  summary:
    "Change an object of projectcalico.org/v3 as kubectl patch does. Goes through Calico's API server where it answers, else to where the object is stored. Shows the difference and asks first. Writes as field manager signalbox, and only if the object was not changed meanwhile.",
  flags: {
    ...changingFlags,
    namespace: selectionFlags.namespace,
    patch: { value: 'PATCH', short: 'p', help: 'the patch, as JSON or YAML' },
    'patch-file': { value: 'FILE', help: 'a file with the patch' },
    type: { value: 'TYPE', help: 'strategic (default) and merge: lists are replaced as a whole; json: RFC 6902' },
    ...changeFlags,
    ...outputFlags,
    output: { value: 'FORMAT', short: 'o', help: 'table (default), json, yaml or name' },
  },
  async run(invocation) {
    const { args, flags } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml', 'name'] as const);
    const named = namedObjects('patch', args);
    if (named.names.length === 0) throw usageError('error: resource(s) were provided, but no name was specified');
    const change = await patchOf(flags.text('patch'), flags.text('patch-file'), formatOf(flags, types, 'type'));
    return withTargets(invocation, { ...named, labelSelector: null, all: false }, async ({ kube }, targets) => {
      const changes = targets.map((target) => changeTo(target, change(target.found.shown)));
      const words = (isNeeded: boolean) => (isNeeded ? 'patched' : 'patched (no change)');
      await carryOutChanges(invocation, kube, changes, { format, words });
      return exit.fine;
    });
  },
};

const types = ['strategic', 'merge', 'json'] as const;

/** What the patch makes of an object. Throws with the flag named where it is none. */
async function patchOf(
  text: string | undefined,
  file: string | undefined,
  type: (typeof types)[number],
): Promise<(object: KubeObject) => KubeObject> {
  if ((text === undefined) === (file === undefined))
    throw usageError('error: must specify --patch or --patch-file containing the contents of the patch');
  const flag = file === undefined ? '--patch' : '--patch-file';
  const data = file === undefined ? parseData(flag, text ?? '') : await readDataFile(flag, file);
  if (type === 'json') {
    const operations = operationsOf(flag, data);
    return (object) => asObject(jsonPatch(object, operations));
  }
  if (!isRecord(data)) throw usageError(`${flag}: a patch of type ${type} is a group of fields`);
  refuseDirectives(flag, data);
  return (object) => asObject(mergePatch(object, data));
}

function operationsOf(flag: string, data: unknown): JsonPatchOperation[] {
  const known = ['add', 'remove', 'replace', 'test', 'move', 'copy'];
  const isOperation = (one: unknown): one is JsonPatchOperation =>
    isRecord(one) &&
    typeof one.op === 'string' &&
    known.includes(one.op) &&
    typeof one.path === 'string' &&
    (one.from === undefined || typeof one.from === 'string');
  if (Array.isArray(data) && data.every(isOperation)) return data;
  throw usageError(`${flag}: a patch of type json is a list of {op: ${known.join('|')}, path: /…}`);
}

function refuseDirectives(flag: string, value: unknown): void {
  if (Array.isArray(value)) for (const one of value) refuseDirectives(flag, one);
  if (!isRecord(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (directives.test(key))
      throw usageError(`${flag}: ${key} is not known for Calico's kinds, whose lists are replaced as a whole`);
    refuseDirectives(flag, member);
  }
}

/** The result of a patch, which may not be an object; then it throws. */
function asObject(value: unknown): KubeObject {
  if (
    isRecord(value) &&
    isRecord(value.metadata) &&
    typeof value.apiVersion === 'string' &&
    typeof value.kind === 'string'
  )
    return value as KubeObject;
  throw usageError('--patch: the result is not an object: apiVersion, kind and metadata must stay');
}
