/** A time as Kubernetes objects carry it (metav1.Time): RFC 3339 in whole seconds, cut off and never rounded up. `ms` since the epoch. */
export function objectTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
