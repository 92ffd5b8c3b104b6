import type { Fields } from '#lib/base/records.ts';
import { type InstallationSpec, mirroredObjects, namingOf } from '#lib/installation/index.ts';
import {
  apiVersionOf,
  names,
  type ObjectRef,
  objectId,
  type ReleaseContents,
  type Resource,
  resources,
} from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { all, defineOperation, writeBack } from '../define-operation.ts';
import { contains } from '../objects/contains.ts';
import { fieldAt, writtenFields } from '../objects/field.ts';
import { isMadeHere, removal } from '../objects/made-here.ts';
import { operatorDeployment } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { refuseMasked } from '../objects/refuse-masked.ts';
import { operatorObjects, refOf, requiredRelease } from '../objects/release-objects.ts';
import type { OperationDefinition, PlanContext } from '../operation.ts';
import { madeTogether, operatorRef, ownField, rollout, sequence, stepsOf, takenBack, undoneBy } from '../pins/parts.ts';
import {
  anyData,
  anyText,
  either,
  exactly,
  type Fits,
  fits,
  listOf,
  mapOf,
  maybe,
  type Pattern,
  text,
} from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { installationDocument } from './installation-document.ts';

type OperatorOptions = Pick<OperationDefinition, 'id' | 'title' | 'why' | 'appliesTo'> & {
  /** What else the files of this release contain. */
  besides: readonly Pattern[];
};

/** Server-side apply of everything that runs the operator. It counts as there if it has every field of the release. */
export function operatorInstallation({ besides, ...definition }: OperatorOptions): OperationDefinition {
  return defineOperation({
    ...definition,
    whenPaused: 'The operator may or may not be installed yet. It changes nothing before it runs.',
    effect: 'control-plane',
    reversible: true,
    settled: isInstalled,
    mayWrite: ({ act }) => {
      const undone = stepsOf(act)
        .map((step) => ownField(step, 'act') as { target: ObjectRef; body: Fields })
        .reverse();
      const together = (of: unknown): Fits =>
        exactly(all(...stepsOf(of).map((step) => ownField(step, 'done') as Condition)));
      return {
        step: either(madeTogether(operatorPart(besides)), madeTogether(operatorPart(besides), rollout(operatorRef))),
        undo: undoneBy('operator-gone', (step) =>
          fits(step, {
            act: sequence(...undone.map(({ target, body }) => takenBack(target, withoutIdentity(body)))),
            done: together(ownField(step, 'act')),
          }),
        ),
      };
    },
    needs: ({ operatorNamespace: namespace }) => operatorNeeds(namespace),
    reads: (context) =>
      parts(context).flatMap(({ target }) => (isMadeHere(context, target) ? [{ target, paths: [] }] : [])),
    act: (context) => ({ kind: 'sequence', steps: parts(context).map(({ act, done }) => ({ act, done })) }),
    done: (context) => all(...parts(context).map(({ done }) => done), ...isServing(context)),
    undo: (context) => {
      const steps = parts(context)
        .reverse()
        .map(({ target, body }) => {
          if (isMadeHere(context, target)) return removal(target);
          // An operator that is there as its release has it is not written, so nothing of it is brought back.
          if (!isInstalled(context)) refuseMasked(objectId(target), objectOf(context.before, target)?.spec);
          return writeBack(context, target, withoutIdentity(body));
        });
      return {
        title: 'Remove the operator',
        act: { kind: 'sequence', steps },
        done: all(...steps.map(({ done }) => done)),
        phase: 'operator-gone',
        usualSeconds: 30,
        deadlineSeconds: 300,
      };
    },
    usualSeconds: 60,
    deadlineSeconds: 600,
  });
}

/**
 * Only an account that has all rights of a Role may grant it, or one with `escalate` and `bind`. The operator has so many rights that these two verbs
 * on its Roles grant less (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping).
 */
export function operatorNeeds(namespace: string) {
  const named = { names: [names.operatorDeployment, `${names.operatorDeployment}-secrets`] };
  const one = { namespace, names: [names.operatorDeployment] };
  return [
    rule(resources.clusterRoles, ['create']),
    rule(resources.clusterRoles, ['get', 'patch', 'delete', 'escalate', 'bind'], named),
    rule(resources.clusterRoleBindings, ['create']),
    rule(resources.clusterRoleBindings, ['get', 'patch', 'delete'], named),
    rule(resources.roleBindings, ['create'], { namespace }),
    rule(resources.roleBindings, ['get', 'patch', 'delete'], { namespace, ...named }),
    rule(resources.serviceAccounts, ['create'], { namespace }),
    rule(resources.serviceAccounts, ['get', 'patch', 'delete'], one),
    rule(resources.deployments, ['create'], { namespace }),
    rule(resources.deployments, ['get', 'patch', 'delete'], one),
    ...followWorkloads(namespace),
  ];
}

/** Whether everything that runs the operator is there as its release has it, and it runs. */
function isInstalled(context: PlanContext): boolean {
  const isThere = parts(context).every(({ target, body }) => contains(objectOf(context.before, target), body));
  return isThere && isRunning(context);
}

function parts(context: PlanContext) {
  return operatorParts(requiredRelease(context), installationDocument(context));
}

/** The objects that run the operator: the release's, with images from the mirror that this Installation names, and its Secrets. */
export function operatorParts(release: ReleaseContents, spec: InstallationSpec) {
  const secrets = (spec.imagePullSecrets ?? []).flatMap(({ name }) => name ?? []);
  return mirroredObjects(operatorObjects(release), namingOf(spec), secrets).map((object) => {
    const target = refOf(object);
    const body: Fields = { ...object };
    const act: Act = { kind: 'apply', target, body, force: true };
    return { target, body, act, done: isWritten(target, body) };
  });
}

/** The fields that a merge patch may contain for an object that exists. */
export function withoutIdentity({ apiVersion: _apiVersion, kind: _kind, metadata, ...fields }: Fields): Fields {
  const labels = fieldAt(metadata, ['labels']);
  return { ...fields, ...(labels === undefined ? {} : { metadata: { labels } }) };
}

/** Compares a Deployment by its images, because the server adds defaults to its lists. */
export function isWritten(target: ObjectRef, body: Fields): Condition {
  if (target.resource.kind !== resources.deployments.kind)
    return { kind: 'fields', target, fields: writtenFields(body) };
  const lists = ['containers', 'initContainers'].flatMap((key) => {
    const path = ['spec', 'template', 'spec', key];
    const list = fieldAt(body, path);
    return (Array.isArray(list) ? list : []).flatMap((container: unknown, index) => {
      const image = fieldAt(container, ['image']);
      return image === undefined ? [] : [{ path: [...path, `${index}`, 'image'], equals: image }];
    });
  });
  return { kind: 'fields', target, fields: lists };
}

/** No wait if a later operation fixes the operator's DNS: it may not be able to start before. */
function isServing(context: PlanContext): Condition[] {
  if (context.choices.fix.includes('operator.dns-deadlock')) return [];
  return [{ kind: 'rollout', target: operatorDeployment(context) }];
}

/** Whether the operator's Deployment has a pod that is available. */
export function isRunning(context: PlanContext): boolean {
  const found = objectOf(context.before, operatorDeployment(context));
  return Number(fieldAt(found, ['status', 'availableReplicas']) ?? 0) > 0;
}

const ofOperator = text(new RegExp(`^${names.operatorDeployment}(-secrets)?$`));
const texts = maybe(mapOf(anyText));
const roleRef: Pattern = {
  apiGroup: 'rbac.authorization.k8s.io',
  kind: either('ClusterRole', 'Role'),
  name: ofOperator,
};
const subjects = listOf({
  kind: 'ServiceAccount',
  name: names.operatorDeployment,
  namespace: names.operatorNamespace,
  apiGroup: maybe(either('', 'v1')),
});
const bound = { roleRef, subjects };
const role = { rules: listOf(mapOf(anyData)), aggregationRule: maybe(mapOf(anyData)) };

/** The objects that run the operator, by kind. Their rules, images and the like are checked against the release (pinned-to-release.ts). */
const operatorFields: readonly { kind: keyof typeof resources; name: Pattern; fields: { [key: string]: Pattern } }[] = [
  {
    kind: 'serviceAccounts',
    name: names.operatorDeployment,
    fields: { imagePullSecrets: maybe(listOf(mapOf(anyData))) },
  },
  { kind: 'clusterRoles', name: ofOperator, fields: role },
  { kind: 'roles', name: ofOperator, fields: role },
  { kind: 'clusterRoleBindings', name: ofOperator, fields: bound },
  { kind: 'roleBindings', name: ofOperator, fields: bound },
  { kind: 'deployments', name: names.operatorDeployment, fields: { spec: mapOf(anyData) } },
];

/** OpenShift's files contain its configuration. */
export const bundledConfigMap: Fits = (step) =>
  isPart(step, { resource: resources.configMaps, name: anyText, fields: { data: texts } });

/** The pattern of one object that runs the operator. `besides`: patterns of others that the files of this release contain. */
export function operatorPart(besides: readonly Pattern[]): Fits {
  return either(
    ...operatorFields.map(
      ({ kind, name, fields }): Fits =>
        (step) =>
          isPart(step, { resource: resources[kind], name, fields }),
    ),
    ...besides,
  );
}

function isPart(
  step: unknown,
  { resource, name, fields }: { resource: Resource; name: Pattern; fields: { [key: string]: Pattern } },
): boolean {
  const act = ownField(step, 'act');
  const metadata = { name, namespace: maybe(names.operatorNamespace), labels: texts, annotations: texts };
  const inNamespace = resource.namespaced ? { namespace: names.operatorNamespace } : {};
  const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...fields };
  if (!fits(act, { kind: 'apply', target: { resource: exactly(resource), name, ...inNamespace }, body, force: true }))
    return false;
  const { target, body: written } = act as { target: ObjectRef; body: Fields };
  const isOwn = fieldAt(written, ['metadata', 'name']) === target.name;
  return isOwn && fits(ownField(step, 'done'), exactly(isWritten({ ...target, resource }, written)));
}
