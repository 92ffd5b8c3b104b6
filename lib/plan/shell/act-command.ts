import { helmWords, type ManifestRef, type ObjectRef, resources } from '#lib/spec/index.ts';
import { jsonText, shellLine as line, shellWord as quote } from '#lib/text/index.ts';
import { helmArguments } from '../install/helm-arguments.ts';
import type { PlanContext } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { OwnedObject } from '../schema/named-objects.ts';
import { conditionCommand } from './condition-command.ts';
import { objectArguments } from './resource-argument.ts';

/** The commands that do the same by hand; empty for acts that write nothing. */
export function actCommand(act: Act, context: PlanContext, deadlineSeconds: number): string {
  switch (act.kind) {
    case 'merge-patch':
      return line('kubectl', 'patch', ...objectArguments(act.target), '--type=merge', '-p', jsonText(act.body));
    case 'apply':
      return piped(
        act.body,
        line('kubectl', 'apply', '--server-side', ...(act.force ? ['--force-conflicts'] : []), '-f', '-'),
      );
    case 'apply-manifest':
      return [...sameFile(act.manifest), appliedFrom(act, context)].join('\n');
    case 'create':
    case 'recreate':
      return piped(act.body, line('kubectl', 'create', '-f', '-'));
    case 'delete':
      return deletion([act.target], act.propagation);
    case 'delete-all':
      return deletion(act.targets, act.propagation);
    case 'helm':
      return line(...helmWords(act, helmArguments(act)));
    case 'instruct':
      return [`printf '%s\\n' ${quote(act.text)} 'Press Enter when it is done.'`, 'read -r _'].join('\n');
    case 'remove-owner-references':
      return act.dependants.map(withoutOwners).join('\n');
    case 'restore-owner-references':
      return act.dependants.flatMap(withOwners).join('\n');
    // kubectl does this by itself at its first server-side apply (util/csaupgrade).
    case 'adopt-fields':
      return '';
    case 'sequence':
      return act.steps
        .flatMap((step) => [
          actCommand(step.act, context, deadlineSeconds),
          conditionCommand(step.done, context, deadlineSeconds),
        ])
        .filter((command) => command !== '')
        .join('\n');
    case 'journal':
    case 'wait':
    case 'verify':
      return '';
  }
}

/**
 * Applies what the act names and nothing else of the file: `tigera-operator.yaml` of releases before v3.30 and OpenShift's file for upgrades hold the operator
 * beside its kinds, `calico.yaml` the agents. Later steps write those, with changes by hand merged in.
 */
function appliedFrom(
  { manifest: { file, sha256 }, targets, force }: Extract<Act, { kind: 'apply-manifest' }>,
  { release, running }: PlanContext,
): string {
  const applied = (from: string) =>
    line('kubectl', 'apply', '--server-side', ...(force ? ['--force-conflicts'] : []), '-f', from);
  const files = [release, running].flatMap((contents) => Object.values(contents?.manifests ?? {}));
  const held = files.find((one) => one.sha256 === sha256)?.objects ?? [];
  if (held.length === targets.length) return applied(file);
  const definitions = held.filter(({ kind }) => kind === resources.customResourceDefinitions.kind);
  const names = definitions.length === targets.length ? null : targets.map(({ name }) => name);
  return `${definitionsIn(file, names)} | ${applied('-')}`;
}

/** Prints the definitions in a file; `names`: only those. */
function definitionsIn(file: string, names: readonly string[] | null): string {
  const [variable, isWanted] =
    names === null ? [[], 'is'] : [['-v', `names= ${names.join(' ')} `], 'is && index(names, " " name " ")'];
  const program = [
    `/^---/ { if (${isWanted}) printf "%s", doc; doc = ""; is = 0 }`,
    '{ doc = doc $0 "\\n" }',
    '/^kind: CustomResourceDefinition/ { is = 1 }',
    ...(names === null ? [] : ['/^  name: / { name = $2 }']),
    `END { if (${isWanted}) printf "%s", doc }`,
  ].join(' ');
  return line('awk', ...variable, program, file);
}

/** Replaces the object with its resourceVersion, so that the server refuses it if it has changed meanwhile. */
function edited(target: ObjectRef, ...jq: string[]): string {
  const get = line('kubectl', 'get', ...objectArguments(target), '-o', 'json');
  return `${get} | ${jq.join(' ')} | ${line('kubectl', 'replace', '-f', '-')}`;
}

/** Removes these references and leaves the rest of the object. */
export function withoutOwners({ target, references }: Pick<OwnedObject, 'target' | 'references'>): string {
  const uids = references.map(({ uid }) => JSON.stringify(uid)).join(', ');
  return edited(target, 'jq', quote(`del(.metadata.ownerReferences[]? | select(.uid | IN(${uids})))`));
}

/** Asks Calico's own API for the UID when the script runs. */
function withOwners({ target, references }: OwnedObject): string[] {
  return references.flatMap(({ uid: _uid, ...reference }) => {
    const [group = '', version = ''] = reference.apiVersion.split('/');
    const scope = target.namespace === undefined ? [] : ['-n', target.namespace];
    const kind = `${reference.kind}.${version}.${group}`;
    const get = line('kubectl', 'get', kind, reference.name, ...scope, '-o', 'jsonpath={.metadata.uid}');
    const added = quote(`.metadata.ownerReferences += [${jsonText(reference)} + {uid: $uid}]`);
    return [`uid=$(${get}) || exit 1`, edited(target, 'jq --arg uid "$uid"', added)];
  });
}

function deletion(targets: readonly ObjectRef[], propagation: 'Background' | 'Foreground'): string {
  return line(
    'kubectl',
    'delete',
    ...targets.flatMap(objectArguments),
    '--ignore-not-found',
    `--cascade=${propagation.toLowerCase()}`,
  );
}

function piped(body: Record<string, unknown>, command: string): string {
  return `printf '%s\\n' ${quote(jsonText(body))} | ${command}`;
}

/** Uses the file beside the script, and only if it is the published one. */
function sameFile({ version, file, sha256 }: ManifestRef): string[] {
  const missing = `${file} of Calico ${version} belongs beside this script, with sha256 ${sha256}.`;
  return [
    `sum=$( { sha256sum ${quote(file)} || shasum -a 256 ${quote(file)}; } 2>/dev/null | cut -d ' ' -f 1)`,
    `[ "$sum" = ${sha256} ] || { printf '%s\\n' ${quote(missing)} >&2; exit 2; }`,
  ];
}
