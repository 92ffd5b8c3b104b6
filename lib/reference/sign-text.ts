import type { Sign } from '#lib/spec/index.ts';

/** A sign of a platform in words. */
export function signText(sign: Sign): string {
  switch (sign.see) {
    case 'api-group':
      return `API group \`${sign.group}\``;
    case 'node-label':
      return `label \`${sign.key}${sign.value === undefined ? '' : `=${sign.value}`}\` on a node`;
    case 'node-annotation':
      return `annotation \`${sign.key}\` on a node`;
    case 'provider-id':
      return `a node's providerID begins with \`${sign.prefix}\``;
    case 'version':
      return `version of the API server or a kubelet matches \`${sign.pattern.source}\``;
    case 'os-image':
      return `a node's osImage matches \`${sign.pattern.source}\``;
    case 'config-map':
      return `ConfigMap \`${sign.namespace}/${sign.name}\``;
    case 'config-map-text':
      return `text \`${sign.pattern.source}\` in ConfigMap \`${sign.namespace}/${sign.name}\``;
    case 'service-label':
      return `label \`${sign.label}\` on Service \`${sign.namespace}/${sign.name}\``;
  }
}
