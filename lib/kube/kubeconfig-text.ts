import { stringify } from 'yaml';

type Fields = Readonly<Record<string, unknown>>;

/** The entries of a kubeconfig: servers and users with their fields as in the file, and contexts that combine them. */
export type KubeconfigParts = {
  /** The context that is used if none is named. */
  readonly current?: string;
  readonly clusters: Readonly<Record<string, Fields>>;
  readonly users: Readonly<Record<string, Fields>>;
  readonly contexts: readonly (readonly [name: string, cluster: string, user: string])[];
};

/** A kubeconfig as YAML (apiVersion v1, kind Config). Fields are written as given: the caller decides about secrets. */
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

/** The text of a kubeconfig with one server, one user and the current context, all three under one name. */
export function kubeconfigOf(name: string, cluster: Fields, user: Fields): string {
  return kubeconfigText({
    current: name,
    clusters: { [name]: cluster },
    users: { [name]: user },
    contexts: [[name, name, name]],
  });
}
