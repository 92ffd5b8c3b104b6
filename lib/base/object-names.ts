/** Forms of names in Kubernetes: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names. Neither can be read as a flag. */

/** RFC 1123 label: names of namespaces, and of most objects that become host names. */
export const labelName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** RFC 1123 subdomain, but for its length: names of most other objects, and of Helm releases. No lookahead: it is part of published schemas. */
export const objectName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** Whether text is an RFC 1123 subdomain of at most 253 characters, the limit of Kubernetes for names of objects. */
export function isObjectName(text: string): boolean {
  return text.length <= 253 && objectName.test(text);
}
