import { mirroredObjects, namingOf } from '#lib/installation/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import type { Act, Condition } from './act.ts';
import { contains } from './contains.ts';
import { all, defineOperation, writeBack } from './define-operation.ts';
import { fieldAt, writtenFields } from './field.ts';
import { installationDocument } from './installation-document.ts';
import { isMadeHere, removal } from './made-here.ts';
import { isJson, type Json } from './merge-patch.ts';
import { objectOf } from './objects.ts';
import type { OperationDefinition, PlanContext } from './operation.ts';
import { operatorDeployment } from './places.ts';
import { operatorObjects, refOf, requiredRelease } from './release-objects.ts';
import { followWorkloads, rule } from './rules.ts';

type Wish = Pick<OperationDefinition, 'id' | 'title' | 'why' | 'appliesTo'>;

/** Server-side apply of everything that runs the operator; already there is what holds all that the release says. */
export function operatorInstallation(wish: Wish): OperationDefinition {
  return defineOperation({
    ...wish,
    effect: 'control-plane',
    reversible: true,
    settled: (context) =>
      parts(context).every(({ target, body }) => contains(objectOf(context.before, target), body)) &&
      isRunning(context),
    needs: ({ operatorNamespace: namespace }) => operatorNeeds(namespace),
    reads: (context) =>
      parts(context).flatMap(({ target }) => (isMadeHere(context, target) ? [{ target, paths: [] }] : [])),
    act: (context) => ({ kind: 'sequence', steps: parts(context).map(({ act, done }) => ({ act, done })) }),
    done: (context) => all(...parts(context).map(({ done }) => done), ...isServing(context)),
    undo: (context) => {
      const steps = parts(context)
        .reverse()
        .map(({ target, body }) =>
          isMadeHere(context, target) ? removal(target) : writeBack(context, target, withoutIdentity(body)),
        );
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
 * Roles may be given only by somebody who has all of their rights, or `escalate` and `bind`: those of the operator are so many that the two verbs
 * on these names are the smaller gift (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping).
 */
function operatorNeeds(namespace: string) {
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

function parts(context: PlanContext) {
  const spec = installationDocument(context);
  const secrets = (spec.imagePullSecrets ?? []).flatMap(({ name }) => name ?? []);
  return mirroredObjects(operatorObjects(requiredRelease(context)), namingOf(spec), secrets).map((object) => {
    const target = refOf(object);
    const body: Json = { ...object };
    const act: Act = { kind: 'apply', target, body, force: true };
    return { target, body, act, done: isWritten(target, body) };
  });
}

/** What a merge patch may say of an object that is there. */
function withoutIdentity({ apiVersion: _apiVersion, kind: _kind, metadata, ...fields }: Json): Json {
  const labels = fieldAt(metadata, ['labels']);
  return { ...fields, ...(labels === undefined ? {} : { metadata: { labels } }) };
}

/** Lists of a Deployment come back with the server's defaults in them: the images tell. */
function isWritten(target: ObjectRef, body: Json): Condition {
  if (target.resource !== resources.deployments) return { kind: 'fields', target, fields: writtenFields(body) };
  const lists = ['containers', 'initContainers'].flatMap((key) => {
    const path = ['spec', 'template', 'spec', key];
    const list = fieldAt(body, path);
    return (Array.isArray(list) ? list : []).map((container, index) => ({
      path: [...path, `${index}`, 'image'],
      equals: isJson(container) ? container.image : undefined,
    }));
  });
  return { kind: 'fields', target, fields: lists };
}

/** With a mend of its DNS still to come it may not be able to start: that operation waits for it. */
function isServing(context: PlanContext): Condition[] {
  if (context.choices.fix.includes('operator.dns-deadlock')) return [];
  return [{ kind: 'rollout', target: operatorDeployment(context) }];
}

function isRunning(context: PlanContext): boolean {
  const found = objectOf(context.before, operatorDeployment(context));
  return Number(fieldAt(found, ['status', 'availableReplicas']) ?? 0) > 0;
}
