import type { MissingRule } from './access-rule.ts';
import { names } from './names.ts';

/** A permission that lets its holder gain others. */
export type Escalation = {
  readonly verbs: readonly string[];
  /** Absent: the core group. */
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent: any namespace; null: all namespaces. */
  readonly namespace?: string | null;
  /** Absent: any object; null: a rule that names no object. */
  readonly name?: string | null;
  /** `{namespace}` is replaced by the namespace of the permission. */
  readonly sentence: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-22';
const risks = 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks';
const calico = 'calico.md §1.2; calico.md §2.1';

const rbac = 'rbac.authorization.k8s.io';
const { operatorNamespace, systemNamespace } = names;

export const escalations: readonly Escalation[] = [
  {
    verbs: ['escalate', 'bind'],
    group: rbac,
    resource: 'clusterroles',
    sentence:
      'escalate and bind on the operator’s ClusterRoles: the holder can write any right into them and bind them to itself. Kubernetes has no narrower way to install an operator.',
    source: risks,
    read,
  },
  {
    verbs: ['create', 'patch'],
    group: rbac,
    resource: 'clusterrolebindings',
    sentence:
      'create clusterrolebindings: together with bind, the holder can give the operator’s rights to any account.',
    source: risks,
    read,
  },
  {
    verbs: ['create', 'patch'],
    group: rbac,
    resource: 'rolebindings',
    sentence: `create rolebindings in ${operatorNamespace}: together with bind, the holder can give the operator’s rights there to any account.`,
    source: risks,
    read,
  },
  {
    verbs: ['create', 'patch'],
    group: 'apps',
    resource: 'deployments',
    namespace: operatorNamespace,
    sentence: `write Deployments in ${operatorNamespace}: a pod there can run any image with the operator’s ServiceAccount.`,
    source: calico,
    read,
  },
  {
    verbs: ['create', 'patch'],
    group: 'operator.tigera.io',
    resource: 'installations',
    sentence:
      'write the Installation: the operator runs privileged pods on every node from the registry that it names.',
    source: calico,
    read,
  },
  {
    verbs: ['patch'],
    group: 'apps',
    resource: 'daemonsets',
    namespace: systemNamespace,
    name: names.kubeProxyDaemonSet,
    sentence: `patch DaemonSet ${names.kubeProxyDaemonSet}: its pods are privileged, so another pod template runs any program as root on every node.`,
    source: calico,
    read,
  },
  {
    verbs: ['patch', 'create'],
    resource: 'configmaps',
    namespace: systemNamespace,
    sentence: `write ConfigMaps of ${names.kubeProxyDaemonSet}: its configuration says where it signs in, so its credentials can be sent elsewhere.`,
    source: calico,
    read,
  },
  {
    verbs: ['create'],
    group: 'apps',
    resource: 'daemonsets',
    namespace: systemNamespace,
    sentence: `create daemonsets in ${systemNamespace}: a privileged pod of the holder’s own can run as root on every node.`,
    source: risks,
    read,
  },
  {
    verbs: ['create', 'get'],
    resource: 'pods',
    subresource: 'exec',
    sentence: 'exec into pods: those of Calico and kube-proxy are privileged, so the holder is root on their nodes.',
    source: risks,
    read,
  },
  {
    verbs: ['list'],
    resource: 'secrets',
    sentence:
      'list Secrets in {namespace}: the holder reads all of them, private keys included. Helm’s are found by a list, which RBAC cannot limit to names.',
    source: risks,
    read,
  },
  {
    verbs: ['create'],
    resource: 'secrets',
    sentence:
      'create Secrets in {namespace}: a token Secret of a ServiceAccount there (in tigera-operator the operator’s) gives the holder its rights.',
    source: risks,
    read,
  },
  {
    verbs: ['update'],
    resource: 'secrets',
    name: null,
    sentence:
      'update Secrets in {namespace}: whichever they are, as no release of Helm was named (`--helm-release`), so that keys and certificates there can be replaced.',
    source: risks,
    read,
  },
  {
    verbs: ['list'],
    group: '*',
    resource: '*',
    namespace: operatorNamespace,
    sentence: `list everything in ${operatorNamespace}: Secrets are part of it. An undo looks there for objects of others before it deletes the namespace.`,
    source: calico,
    read,
  },
  {
    verbs: ['create', 'patch'],
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
    sentence:
      'write definitions of Calico’s kinds: a conversion webhook in one reads and changes every object of its kind. create cannot be limited to names.',
    source: calico,
    read,
  },
  {
    verbs: ['patch'],
    resource: 'services',
    sentence: 'patch the Service of cluster DNS: its selector says which pods answer the cluster’s DNS.',
    source: calico,
    read,
  },
  {
    verbs: ['patch', 'create'],
    resource: 'namespaces',
    sentence:
      'write namespaces: a label on the operator’s or Calico’s namespace decides whether privileged pods may run there.',
    source: risks,
    read,
  },
  {
    verbs: ['list'],
    resource: 'configmaps',
    namespace: null,
    sentence: 'list configmaps in all namespaces: passwords that somebody keeps in a ConfigMap are readable.',
    source: risks,
    read,
  },
  {
    verbs: ['get', 'list'],
    resource: 'pods',
    namespace: null,
    sentence: 'read pods in all namespaces: passwords that somebody sets as environment variables are readable.',
    source: risks,
    read,
  },
];

/** One sentence for each escalation that these rules allow. */
export function escalationsOf(rules: readonly MissingRule[]): string[] {
  const sentences = escalations.flatMap((one) =>
    rules
      .filter((rule) => isOne(one, rule))
      .map(({ namespace = 'all namespaces' }) => one.sentence.replace('{namespace}', namespace)),
  );
  return [...new Set(sentences)];
}

function isOne(one: Escalation, rule: MissingRule): boolean {
  return (
    one.verbs.includes(rule.verb) &&
    (one.group ?? '') === rule.group &&
    one.resource === rule.resource &&
    one.subresource === rule.subresource &&
    (one.namespace === undefined || one.namespace === (rule.namespace ?? null)) &&
    (one.name === undefined || one.name === (rule.name ?? null))
  );
}
