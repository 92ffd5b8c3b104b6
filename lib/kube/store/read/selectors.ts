import { valueAt } from '#lib/base/records.ts';
import { KubeError } from '../../error.ts';
import type { KubeObject } from '../../object.ts';

/** Whether an object matches. Built once per list or watch, so that selectors are not parsed per object. */
export type Matcher = (object: KubeObject) => boolean;

export type Selection = { namespace?: string; labelSelector?: string; fieldSelector?: string };

/** The matcher of a list without selectors. */
export const matchesEverything: Matcher = () => true;

/** Namespace, label selector and field selector of a list or watch as one matcher; a selector that does not parse is `invalid`. */
export function matcherOf(selection: Selection): Matcher {
  const matchers: Matcher[] = [];
  const { namespace } = selection;
  if (namespace !== undefined && namespace !== '') matchers.push((object) => object.metadata.namespace === namespace);
  if (selection.labelSelector) matchers.push(labelMatcher(selection.labelSelector));
  if (selection.fieldSelector) matchers.push(fieldMatcher(selection.fieldSelector));
  const [first, second] = matchers;
  if (first === undefined) return matchesEverything;
  if (second === undefined) return first;
  return (object) => matchers.every((matches) => matches(object));
}

type Requirement = (labels: Readonly<Record<string, string>>) => boolean;

/** Grammar: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors */
function labelMatcher(selector: string): Matcher {
  const requirements = splitOutsideParentheses(selector).map((part) => requirementOf(part.trim(), selector));
  return (object) => {
    const labels = object.metadata.labels ?? {};
    return requirements.every((requirement) => requirement(labels));
  };
}

const setBased = /^([^\s!=,()]+)\s+(in|notin)\s*\(([^()]*)\)$/;
const equality = /^([^\s!=,()]+)\s*(==|=|!=)\s*([^\s!=,()]*)$/;
const existence = /^(!?)\s*([^\s!=,()]+)$/;

function requirementOf(part: string, selector: string): Requirement {
  const set = setBased.exec(part);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    if (operator === 'in') return (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '');
    return (labels) => !Object.hasOwn(labels, key) || !values.has(labels[key] ?? '');
  }
  const equals = equality.exec(part);
  if (equals) {
    const [, key = '', operator, value = ''] = equals;
    if (operator === '!=') return (labels) => !Object.hasOwn(labels, key) || labels[key] !== value;
    return (labels) => Object.hasOwn(labels, key) && labels[key] === value;
  }
  const exists = existence.exec(part);
  if (exists) {
    const [, not, key = ''] = exists;
    return (labels) => Object.hasOwn(labels, key) === (not === '');
  }
  return unreadable('label', selector, `"${part}" is not a requirement such as app=web, app in (a,b) or !app`);
}

function splitOutsideParentheses(selector: string): string[] {
  return selector.split(/,(?![^()]*\))/);
}

/** `path=value`, `path==value`, `path!=value`, joined by commas. */
function fieldMatcher(selector: string): Matcher {
  const terms = selector.split(',').map((term) => {
    const match = /^([^!=]+)(==|=|!=)(.*)$/.exec(term.trim());
    if (!match) return unreadable('field', selector, `"${term}" is not a term such as metadata.name=x`);
    const [, path = '', operator, value = ''] = match;
    return { path: path.split('.'), name: path, wanted: operator !== '!=', value };
  });
  return (object) =>
    terms.every(({ path, name, wanted, value }) => {
      if (!isSelectable(object.kind, name)) {
        return unreadable('field', selector, `field label not supported: ${name}`);
      }
      return (textAt(object, path) === value) === wanted;
    });
}

/** Paths that a real server can select by, besides metadata.name and metadata.namespace (pkg/apis and registry strategies of Kubernetes 1.36). */
const selectableFields: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  Node: ['spec.unschedulable'],
  Namespace: ['status.phase'],
  Secret: ['type'],
  Service: ['spec.clusterIP', 'spec.type'],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
};

function isSelectable(kind: string, path: string): boolean {
  return path === 'metadata.name' || path === 'metadata.namespace' || (selectableFields[kind]?.includes(path) ?? false);
}

function textAt(object: KubeObject, path: readonly string[]): string {
  const value = valueAt(object, path);
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (value === undefined && (path.at(-1) === 'unschedulable' || path.at(-1) === 'hostNetwork')) return 'false';
  return typeof value === 'string' ? value : '';
}

function unreadable(which: 'label' | 'field', selector: string, message: string): never {
  throw new KubeError('invalid', `The ${which} selector "${selector}" cannot be used: ${message}.`, {
    status: 400,
    fields: [{ field: `${which}Selector`, message }],
  });
}
