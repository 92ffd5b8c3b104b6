import type { Fields } from '#lib/base/records.ts';
import { clouds, names, platformOf, platforms, resolverFor, resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { isMadeHere } from '../objects/made-here.ts';
import { operatorDeployment } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { itsRollout, operatorRef, patched, undoneBy } from '../pins/parts.ts';
import { either, listOf, type Pattern, shortText } from '../pins/pattern.ts';

/**
 * Lets the operator resolve the API server's name without the cluster's DNS, which needs the network that the operator installs (spec › Endpoints ›
 * Install operator; pain A2). Clouds have a resolver of their own; elsewhere the node's resolver is used.
 */
function dns(context: PlanContext): Fields {
  const nameserver = resolverFor(platformOf(context).kind, context.facts.nodes);
  return nameserver === null ? { dnsPolicy: 'Default' } : { dnsConfig: { nameservers: [nameserver] } };
}

const patch = (context: PlanContext): Fields => ({ spec: { template: { spec: dns(context) } } });

const nameservers: readonly Pattern[] = [...Object.values(platforms), ...clouds].flatMap(
  ({ nameserver }) => nameserver ?? [],
);
const chosenDns = either({ dnsPolicy: 'Default' }, { dnsConfig: { nameservers: [either(...nameservers)] } });
/** https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#pod-s-dns-policy */
const policies = ['Default', 'ClusterFirst', 'ClusterFirstWithHostNet', 'None'];
const earlierDns = either(
  { dnsPolicy: either(null, ...policies) },
  { dnsConfig: either(null, { nameservers: either(null, listOf(shortText)) }) },
);

export const operatorDns = defineOperation({
  id: 'operator.dns',
  title: 'Let the operator resolve the API server without cluster DNS',
  why: 'The API server has a name, which the operator resolves by cluster DNS. Cluster DNS only works once the network does.',
  whenPaused: 'Traffic is as before.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) =>
    context.choices.fix.includes('operator.dns-deadlock') &&
    objectOf(context.before, operatorDeployment(context)) !== null,
  mayWrite: () => ({
    step: patched(operatorRef, { spec: { template: { spec: chosenDns } } }, itsRollout),
    undo: either(
      null,
      undoneBy('operator-dns', patched(operatorRef, { spec: { template: { spec: earlierDns } } }, itsRollout)),
    ),
  }),
  needs: ({ operatorNamespace: namespace }) => [
    rule(resources.deployments, ['get', 'patch'], { namespace, names: [names.operatorDeployment] }),
    ...followWorkloads(namespace),
  ],
  reads: (context) => [
    {
      target: operatorDeployment(context),
      paths: [
        ['spec', 'template', 'spec', 'dnsPolicy'],
        ['spec', 'template', 'spec', 'dnsConfig'],
      ],
    },
  ],
  act: (context) => write(operatorDeployment(context), patch(context)).act,
  done: (context) => {
    const target = operatorDeployment(context);
    return all(write(target, patch(context)).done, { kind: 'rollout', target });
  },
  undo: (context) => {
    const target = operatorDeployment(context);
    // The operator is deleted whole.
    if (context.choices.goal === 'install' && isMadeHere(context, target)) return null;
    const { act, done } = writeBack(context, target, patch(context));
    return {
      title: 'Give the operator its earlier DNS settings back',
      act,
      done: all(done, { kind: 'rollout', target }),
      phase: 'operator-dns',
      usualSeconds: 20,
      deadlineSeconds: 180,
    };
  },
  usualSeconds: 20,
  deadlineSeconds: 180,
});
