import { names, type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import {
  shellComment as comment,
  type FlagsByProgram,
  shellLine as line,
  noFlags,
  shellWord as quote,
  withClusterFlags,
} from '#lib/text/index.ts';
import { targetsOf } from '../objects/objects.ts';
import type { Plan } from '../plan.ts';
import type { PlannedOperation } from '../schema/planned-operation.ts';
import { stationsOf } from '../upgrade/way-of-upgrade.ts';
import { blockingReasons, isPlatformRefused, refusedScript } from './refused-script.ts';
import { objectArguments } from './resource-argument.ts';

/**
 * The plan as a POSIX shell script of kubectl and helm commands. It stops at the first command that fails, and refuses to start on another cluster. A
 * blocked plan becomes a script that says so and changes nothing. `flags`: how its commands name the cluster.
 */
export function planAsShell(plan: Plan, flags: FlagsByProgram = noFlags): string {
  const namesCluster = flags.kubectl !== '' || flags.environment !== '';
  const script = [
    '#!/bin/sh',
    comment(`Signalbox plan: ${plan.goal} on ${plan.cluster}`),
    comment(`${plan.hash}, made ${plan.madeAt}`),
    ...(plan.warnings ?? []).map((warning) => comment(warning)),
    ...(plan.release?.notice ? [comment(plan.release.notice)] : []),
    namesCluster
      ? '# Each command names the cluster. Nothing here is undone by itself.'
      : '# Uses the cluster that kubectl is set to. Nothing here is undone by itself.',
    'set -eu',
    '',
    ...blocked(plan),
    ...sameCluster(plan, namesCluster),
    ...(isPlatformRefused(plan.findings)
      ? []
      : plan.operations.flatMap((operation) => [...station(operation, plan), ...block(operation, plan)])),
    'echo "Done."',
    '',
  ].join('\n');
  return withClusterFlags(script, flags);
}

function blocked({ findings }: Plan): string[] {
  if (findings.verdict !== 'blocked') return [];
  return [...refusedScript('This plan is blocked:', blockingReasons(findings), exitCodeOfBlocked), ''];
}

const exitCodeOfBlocked = 3;

function sameCluster({ clusterUid }: Plan, namesCluster: boolean): string[] {
  if (clusterUid === null) return [];
  const read = line(
    'kubectl',
    'get',
    ...objectArguments({ resource: resources.namespaces, name: names.systemNamespace }),
    '-o',
    'jsonpath={.metadata.uid}',
  );
  return [
    `if [ "$(${read})" != ${quote(clusterUid)} ]; then`,
    `  echo "${namesCluster ? 'These commands reach' : 'kubectl is set to'} another cluster than this plan was made for." >&2`,
    '  exit 2',
    'fi',
    '',
  ];
}

/** Waits for Enter. Without a terminal the script ends here, because `read` fails at the end of its input. */
function station({ seq }: PlannedOperation, plan: Plan): string[] {
  return stationsOf(plan)
    .filter(({ before }) => before === seq)
    .flatMap(({ version }) => [
      `printf %s ${quote(`${version} runs on every node. Enter goes on, Ctrl-C stops here. `)}`,
      'read -r _',
      '',
    ]);
}

function block(operation: PlannedOperation, plan: Plan): string[] {
  const { seq, id, title, why, status } = operation;
  const head = [comment(`${seq}. ${id}: ${title}`), comment(`   ${why}`)];
  if (status === 'already-done') return [...head, '#    (already so)', ''];
  const lines = operation.act.kind === 'journal' ? snapshot(plan) : [operation.command];
  return [...head, `echo ${quote(`${seq}. ${title}`)}`, ...lines.filter((text) => text !== ''), ''];
}

/** Saves the objects as they are now, for an undo by hand. Never overwrites an earlier copy, which may be the only one of the first state. */
function snapshot(plan: Plan): string[] {
  const file = 'signalbox-before.yaml';
  const objects = objectsWritten(plan);
  if (objects.length === 0) return [];
  return [
    `if [ -e ${file} ]; then`,
    `  echo "${file} is there already and is kept as it is." >&2`,
    'else',
    '  {',
    ...objects.flatMap((ref) => [
      `    ${line('kubectl', 'get', ...objectArguments(ref), '-o', 'yaml', '--ignore-not-found')}`,
      '    echo ---',
    ]),
    `  } > ${file}.part`,
    `  mv ${file}.part ${file}`,
    'fi',
  ];
}

/** Every object that the plan changes, each once, in the order of first change: what a snapshot records. */
function objectsWritten({ operations }: Pick<Plan, 'operations'>): ObjectRef[] {
  const written = operations.filter(({ status }) => status === 'needed').flatMap(({ act }) => targetsOf(act));
  return [...new Map(written.map((ref) => [objectId(ref), ref])).values()];
}
