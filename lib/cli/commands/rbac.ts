import { flowRoleSet } from '#lib/flows/flow-role.ts';
import { type HelmStorage, type KindOfUpgrade, namespacesForRoles, type RoleSet, roleSets } from '#lib/plan/index.ts';
import { probeRoleSet } from '#lib/probe/index.ts';
import { type Goal, goals, type HelmDriver, isNamespaceName, names, type PolicyChoice } from '#lib/spec/index.ts';
import { jsonText } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import { afterwardsNamed, policyFromFlag } from '../choices-from-flags.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import { choiceFlags, outputIn } from '../global-flags.ts';
import { formatOf } from '../terminal/output.ts';

export const rbac: Command = {
  name: 'rbac',
  arguments: '',
  summary:
    'Print the Roles that a goal needs, for `kubectl apply -f -`: what each is for, and which are optional. Reads no cluster.',
  flags: {
    goal: { ...choiceFlags.goal, help: 'install, enable (default), upgrade, undo, restore, flow-logs or policy' },
    method: {
      value: 'METHOD',
      help: 'upgrade: how Calico was installed: operator, helm or manifest (default: Roles for each of them)',
    },
    afterwards: {
      value: 'WHAT',
      many: true,
      help: 'upgrade: also the Roles for apply --afterwards host-endpoints, allow-all-upgrade, flow-logs or sidecars; may be repeated',
    },
    'helm-namespace': {
      value: 'NAMESPACE',
      many: true,
      help: 'where Helm keeps a release of Calico beside those of tigera-operator (`helm list -A`): also the Roles there; may be repeated',
    },
    'helm-release': {
      value: 'NAMESPACE/NAME/REVISION',
      many: true,
      help: 'a Helm release of Calico, with its revision in `helm list -A`: grants changes only of its records; name each',
    },
    'helm-driver': {
      value: 'secret|configmap',
      help: 'where Helm keeps these releases, as in HELM_DRIVER (default secret)',
    },
    policy: {
      value: 'FILE',
      help: 'policy, undo: Roles for this one alone (default: any policy, in any namespace)',
    },
    ...outputIn('yaml (default) or json'),
  },
  async run({ flags, terminal }) {
    const named = flags.text('goal') ?? 'enable';
    const goal = goals.find((one) => one === named);
    if (!goal) throw usageError(`--goal: ${JSON.stringify(named)} is not one of ${goals.join(', ')}`);
    const kind = kindOf(flags, goal);
    const namespaces = flags.list('helm-namespace');
    const wrong = namespaces.find((namespace) => !isNamespaceName(namespace));
    if (wrong !== undefined) throw usageError(`--helm-namespace: ${JSON.stringify(wrong)} cannot be a namespace`);
    const helm = {
      ...{ namespaces, releases: flags.list('helm-release').map(releaseNamed) },
      driver: driverNamed(flags.text('helm-driver')),
    };
    const policy = await policyOf(flags, goal);
    const sets = setsOf(goal, kind, helm, policy);
    const format = formatOf(flags, ['yaml', 'table', 'json'] as const);
    terminal.out(format === 'json' ? asJson(goal, sets) : asYaml(goal, kind, sets, policy === undefined));
    return exit.fine;
  },
};

/** Goals that may also test nodes and read flows. */
const watched: ReadonlySet<Goal> = new Set(['install', 'enable', 'upgrade']);

function kindOf(flags: Flags, goal: Goal): KindOfUpgrade | undefined {
  const [method, named] = [flags.text('method'), flags.list('afterwards')];
  if (goal !== 'upgrade') {
    if (method !== undefined || named.length > 0)
      throw usageError(`--method and --afterwards are for --goal upgrade, not for ${goal}`);
    return undefined;
  }
  const found = methods.find((one) => one === method);
  if (method !== undefined && found === undefined)
    throw usageError(`--method: ${JSON.stringify(method)} is not one of ${methods.join(', ')}`);
  return { method: found, afterwards: named.map(afterwardsNamed) };
}

const methods = ['operator', 'helm', 'manifest'] as const;

/** Goals whose runs create or remove a policy. */
const policyGoals: ReadonlySet<Goal> = new Set(['policy', 'undo']);

/** `NAMESPACE/RELEASE/REVISION`, with Helm's rules for names: https://helm.sh/docs/chart_template_guide/builtin_objects/ */
const aRelease = /^([^/]+)\/([a-z0-9](?:[a-z0-9.-]{0,51}[a-z0-9])?)\/([1-9]\d{0,5})$/;

function releaseNamed(text: string) {
  const [, namespace = '', name = '', revision] = aRelease.exec(text) ?? [];
  if (!isNamespaceName(namespace))
    throw usageError(
      `--helm-release: ${JSON.stringify(text)} is not a Helm release; write NAMESPACE/NAME/REVISION, e.g. tigera-operator/calico/3`,
    );
  return { namespace, name, revision: Number(revision) };
}

/** Helm's names of its drivers: https://helm.sh/docs/topics/advanced/#storage-backends */
const drivers: Readonly<Record<string, HelmDriver | 'secret'>> = {
  secret: 'secret',
  secrets: 'secret',
  configmap: 'configmap',
  configmaps: 'configmap',
};

function driverNamed(text: string | undefined): HelmDriver | undefined {
  if (text === undefined) return undefined;
  const found = Object.hasOwn(drivers, text) ? drivers[text] : undefined;
  if (found === undefined)
    throw usageError(
      `--helm-driver: ${JSON.stringify(text)} is not one of secret, configmap; upgrade releases that Helm keeps in an SQL database by hand`,
    );
  return found === 'secret' ? undefined : found;
}

async function policyOf(flags: Flags, goal: Goal): Promise<PolicyChoice | undefined> {
  if (!policyGoals.has(goal) && flags.has('policy'))
    throw usageError(`--policy is for --goal policy and --goal undo, not for ${goal}`);
  return (await policyFromFlag(flags)).policy;
}

function setsOf(
  goal: Goal,
  kind: KindOfUpgrade | undefined,
  helm: HelmStorage,
  policy: PolicyChoice | undefined,
): RoleSet[] {
  const beside = watched.has(goal) ? [probeRoleSet(goal), flowRoleSet(goal)] : [];
  return [...roleSets(goal, undefined, kind, helm, policy), ...beside];
}

function asJson(goal: Goal, sets: readonly RoleSet[]): string {
  const items = [...namespacesForRoles(goal), ...sets.flatMap(({ roles }) => roles)];
  const roles = sets.map((set) => ({
    name: set.name,
    need: set.kind.id,
    optional: set.kind.needed === 'optional',
    purpose: set.kind.purpose,
    without: set.kind.without,
    escalations: set.escalations,
    bind: bindings(set),
  }));
  return jsonText({ apiVersion: 'v1', kind: 'List', items, roles }, 2);
}

function asYaml(goal: Goal, kind: KindOfUpgrade | undefined, sets: readonly RoleSet[], isAnyPolicy: boolean): string {
  const namespaces = namespacesForRoles(goal);
  const parts = [
    ...namespaces.map((object, index) => ({ comment: index === 0 ? beforeNamespaces(goal) : [], object })),
    ...sets.flatMap((set) =>
      set.roles.map((object, index) => ({ comment: index === 0 ? introduction(set) : [], object })),
    ),
  ];
  const documents = parts.map(
    ({ comment, object }) => comment.map((line) => `${`# ${line}`.trimEnd()}\n`).join('') + yamlText(object),
  );
  return (
    head(goal, kind, isAnyPolicy)
      .map((line) => `# ${line}\n`)
      .join('') + documents.join('---\n')
  );
}

function head(goal: Goal, kind: KindOfUpgrade | undefined, isAnyPolicy: boolean): string[] {
  return [
    'The Roles grant nothing until they are bound. Bind each required one, and the optional ones that you want.',
    'Replace USER by the account. For a ServiceAccount, write --serviceaccount=NAMESPACE:NAME instead of --user=USER.',
    ...(kind?.method === undefined && kind !== undefined
      ? ['These are the Roles for operator, Helm and manifest: `--method` prints those of one.']
      : []),
    ...(policyGoals.has(goal) && isAnyPolicy
      ? ['These allow any network policy in any namespace: `--policy FILE` allows only that one.']
      : []),
    `Roles named signalbox-${goal} are from an earlier version and grant more. Delete them.`,
  ];
}

function beforeNamespaces(goal: Goal): string[] {
  return [
    'Create the namespaces first: a Role needs its namespace.',
    ...(goal === 'install'
      ? [
          `Undoing an installation deletes ${names.calicoNamespace} and the Roles in it: apply them again before the next one.`,
        ]
      : []),
  ];
}

/** What a reviewer of the Roles needs to know before granting them. */
function introduction(set: RoleSet): string[] {
  const { kind, name, escalations } = set;
  return [
    '',
    `${name} (${kind.needed === 'optional' ? 'optional' : 'required'}): ${kind.purpose}.`,
    `Without it: ${kind.without}.`,
    ...(escalations.length === 0 ? [] : ['It lets an account get more rights than it lists:']),
    ...escalations.map((sentence) => `- ${sentence}`),
    'Bind it:',
    ...bindings(set).map((line) => `  ${line}`),
  ];
}

function bindings({ name, roles }: RoleSet): string[] {
  return roles.map(({ kind, metadata: { namespace } }) =>
    kind === 'ClusterRole'
      ? `kubectl create clusterrolebinding ${name} --clusterrole=${name} --user=USER`
      : `kubectl create rolebinding ${name} --namespace=${namespace} --role=${name} --user=USER`,
  );
}
