export type Failure = {
  ok: false;
  /** Stable: `endpoint.form`, `draft.changed`, `cluster.unreachable`, `fault`. */
  code: string;
  /** A sentence for the reader. */
  message: string;
  /** Sentences by the path of the field: `endpoint.host`. */
  fields?: Record<string, string>;
};
export type HostAnswer<T> = { ok: true; value: T } | Failure;
