import { stringify } from 'yaml';

type Fields = Readonly<Record<string, unknown>>;

/** What a kubeconfig names: servers and users with their fields as in the file, and which user asks which server under which name. */
export type KubeconfigParts = {
  /** The context that is used unless another is asked for. */
  readonly current?: string;
  readonly clusters: Readonly<Record<string, Fields>>;
  readonly users: Readonly<Record<string, Fields>>;
  readonly contexts: readonly (readonly [name: string, cluster: string, user: string])[];
};

/** The file that kubectl reads. */
export function kubeconfigText({ current, clusters, users, contexts }: KubeconfigParts): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    ...(current === undefined ? {} : { 'current-context': current }),
    clusters: Object.entries(clusters).map(([name, cluster]) => ({ name, cluster })),
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
    contexts: contexts.map(([name, cluster, user]) => ({ name, context: { cluster, user } })),
  });
}

/** A kubeconfig with one server, one user and the context that is current; all three have the same name. */
export function kubeconfigOf(name: string, cluster: Fields, user: Fields): string {
  return kubeconfigText({
    current: name,
    clusters: { [name]: cluster },
    users: { [name]: user },
    contexts: [[name, name, name]],
  });
}
