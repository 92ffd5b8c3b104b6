import type { Coverage } from '#lib/facts/index.ts';

/** A kind that could not be read, with the reason or the rule that is missing. */
export type Missing = Coverage['missing'][number];

/** A rule in words like the arguments of `kubectl auth can-i`: `patch daemonsets.apps in kube-system`. */
export function ruleName({
  verb,
  group,
  resource,
  subresource,
  namespace,
  name,
}: NonNullable<Missing['rule']>): string {
  const full = `${resource}${group === '' ? '' : `.${group}`}${subresource ? `/${subresource}` : ''}`;
  return `${verb} ${full}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;
}
