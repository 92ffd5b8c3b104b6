import type { ManifestRef, ObjectRef } from '#lib/spec/index.ts';
import { jsonText, shellLine as line, shellWord as quote } from '#lib/text/index.ts';
import type { Act } from '../act.ts';
import { helmArguments } from '../install/helm-arguments.ts';
import type { PlanContext } from '../operation.ts';
import { conditionCommand } from './condition-command.ts';
import { objectArguments } from './resource-argument.ts';

/** The lines that do the same by hand; empty for acts that write nothing. */
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
      return [
        ...sameFile(act.manifest),
        line('kubectl', 'apply', '--server-side', ...(act.force ? ['--force-conflicts'] : []), '-f', act.manifest.file),
      ].join('\n');
    case 'recreate':
      return piped(act.body, line('kubectl', 'create', '-f', '-'));
    case 'delete':
      return deletion([act.target], act.propagation);
    case 'delete-all':
      return deletion(act.targets, act.propagation);
    case 'helm':
      return line('helm', ...helmArguments(act));
    case 'instruct':
      return [`printf '%s\\n' ${quote(act.text)} 'Press Enter when it is done.'`, 'read -r _'].join('\n');
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

function deletion(targets: readonly ObjectRef[], propagation: 'Background' | 'Foreground'): string {
  return line('kubectl', 'delete', ...targets.flatMap(objectArguments), `--cascade=${propagation.toLowerCase()}`);
}

function piped(body: Record<string, unknown>, command: string): string {
  return `printf '%s\\n' ${quote(jsonText(body))} | ${command}`;
}

/** The file is beside the script, as it was published; another one is not applied. */
function sameFile({ version, file, sha256 }: ManifestRef): string[] {
  const missing = `${file} of Calico ${version} belongs beside this script, with sha256 ${sha256}.`;
  return [
    `sum=$( { sha256sum ${quote(file)} || shasum -a 256 ${quote(file)}; } 2>/dev/null | cut -d ' ' -f 1)`,
    `[ "$sum" = ${sha256} ] || { printf '%s\\n' ${quote(missing)} >&2; exit 2; }`,
  ];
}
