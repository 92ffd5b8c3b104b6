import { isRecord } from '#lib/base/records.ts';
import { agreeing, inList } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type ObjectRef, objectId, type Resource, resources } from '#lib/spec/index.ts';
import { isMasked } from '#lib/text/index.ts';
import { fieldAt } from '../../objects/field.ts';
import { type Objects, objectOf } from '../../objects/objects.ts';

/** The ConfigMap with the template of Istio's injector, which Calico's published fragments patch (calico.md §1.2 › alp). */
export const injector: ObjectRef = {
  resource: resources.configMaps,
  namespace: 'istio-system',
  name: 'istio-sidecar-injector',
};

/** The sidecar's image in that template, from any registry. Fragments of two releases for the same mesh differ in nothing else. */
const image = /\bdikastes:(v\d[0-9A-Za-z.-]*)/g;

/** Workloads that replace their pods in a rolling update. The owners of others must restart them. */
const rolling: readonly Resource[] = [resources.deployments, resources.daemonSets, resources.statefulSets];

export type SidecarWorkload = { target: ObjectRef; version: string | null };

/** Workloads whose sidecar is of another release and comes from the injector, so that a restart replaces it. */
export function workloadsToRoll({ upgrade: { sidecars } }: Facts, to: string): SidecarWorkload[] {
  return sidecars.flatMap(({ subject: { kind, namespace, name }, version, inTemplate }) => {
    const resource = rolling.find((one) => one.kind === kind);
    if (resource === undefined || namespace === null || version === to || inTemplate !== undefined) return [];
    return [{ target: { resource, namespace, name }, version }];
  });
}

/** Objects beside Calico's that rolling sidecars writes; they are read whole before the plan is made. */
export function sidecarRefs(facts: Facts, to: string): ObjectRef[] {
  return [injector, ...workloadsToRoll(facts, to).map(({ target }) => target)];
}

/** Keys of the template with another release of the sidecar, each with its text for this one. */
export function templateAt(objects: Objects, to: string): Record<string, string> {
  return Object.fromEntries(
    textsOf(objects).flatMap(([key, text]) => {
      const next = text.replaceAll(image, `dikastes:${to}`);
      return next === text ? [] : [[key, next] as const];
    }),
  );
}

/** The release that the injector adds to new pods; null where its text was not read or names none. */
export function templateVersion(objects: Objects): string | null {
  const found = textsOf(objects).flatMap(([, text]) => [...text.matchAll(image)].map(([, version]) => version));
  return found[0] ?? null;
}

function textsOf(objects: Objects): [string, string][] {
  const data = fieldAt(objectOf(objects, injector), ['data']);
  return Object.entries(isRecord(data) ? data : {}).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text] as [string, string]] : [],
  );
}

/** Why sidecars cannot be replaced once `to` runs, as a sentence; null if they can, as far as the facts show without the injector's template. */
export function whyNoSidecars(facts: Facts, to: string | null): string | null {
  const { sidecars } = facts.upgrade;
  // Only unread pods count here: a workload whose template was not read is named below, since a restart may keep its sidecar.
  if (facts.coverage.sidecars.missing.some(({ kind }) => kind === resources.pods.kind))
    return 'Not verified which pods carry a sidecar: not all pods could be read.';
  if (sidecars.length === 0)
    return 'No pod carries a sidecar of application layer policy from Istio’s injector or its own template.';
  if (to === null || workloadsToRoll(facts, to).length > 0) return null;
  const inTemplates = sidecars.filter(({ version, inTemplate }) => version !== to && inTemplate === true);
  const unread = sidecars.filter(({ version, inTemplate }) => version !== to && inTemplate === 'unknown');
  if (unread.length > 0)
    return `A restart may keep the sidecar of ${inList(unread.map(workloadId))}: allow \`get\` of ${agreeing(unread.length, 'it', 'them')} to see the ${agreeing(unread.length, 'template', 'templates')}.`;
  if (inTemplates.length > 0)
    return `${inList(inTemplates.map(workloadId))} ${agreeing(inTemplates.length, 'has its sidecar in its own template', 'have their sidecars in their own templates')}, which a restart keeps: write the image of ${to} there.`;
  return sidecars.every(({ version }) => version === to)
    ? `All sidecars are of ${to} already.`
    : 'The pods that carry a sidecar belong to no Deployment, DaemonSet or StatefulSet: restart them by hand.';
}

const workloadId = ({ subject: { namespace, name } }: Facts['upgrade']['sidecars'][number]) => `${namespace}/${name}`;

/** Why the injector's template cannot be changed, as a sentence; null if it can. For facts with that ConfigMap read. */
export function whyNoTemplate({ resources: { objects } }: Facts): string | null {
  const id = objectId(injector);
  const found = objectOf(objects, injector);
  if (found === undefined || textsOf(objects).some(([, text]) => isMasked(text)))
    return `${id}, from which new pods get their sidecar, could not be read whole.`;
  if (found === null)
    return `${id}, from which new pods get their sidecar, is not there. Bring the template of the new release to your injector, and restart the workloads by hand.`;
  return templateVersion(objects) === null
    ? `${id} names no release of the sidecar (dikastes:VERSION), so its pods would stay as they are.`
    : null;
}
