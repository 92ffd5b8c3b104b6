import { shellComment as comment } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import type { Plan } from '../plan.ts';
import { blockingReasons } from '../shell/refused-script.ts';
import { type BesideObjects, type EndState, endStateOf } from './end-state.ts';

/**
 * What a user of Argo CD, Flux or Fleet commits after the run: the plan's end state as YAML documents. A comment above each says whether it is a
 * whole object (`resources` of a kustomization) or a patch (`patches`).
 */
export function planAsGitops(plan: Plan): string {
  const { objects, beside } = endStateOf(plan);
  const blocked = plan.findings.verdict === 'blocked' ? blockingReasons(plan.findings) : [];
  return [
    comment(`End state of the plan: ${plan.goal} on ${plan.cluster}`),
    comment(plan.hash),
    comment(
      'Commit it after the run, and resume what was paused for it. Committed before, it comes without the order that keeps Services working.',
    ),
    ...blocked.map((reason) => comment(`Blocked: ${reason}`)),
    ...beside.map((one) => comment(besideInWords(one))),
    ...objects.flatMap((one) => ['---', comment(headOf(one)), yamlText(one.object).trimEnd()]),
    '',
  ].join('\n');
}

function headOf({ form, target: { namespace, name, resource } }: EndState): string {
  const called = `${namespace === undefined ? '' : `${namespace}/`}${resource.kind}/${name}`;
  switch (form) {
    case 'whole':
      return `resource: ${called}, as a whole`;
    case 'patch':
      return `patch: merge these fields into your ${called}`;
    case 'gone':
      return `patch: take ${called} out of your repository`;
  }
}

function besideInWords(one: BesideObjects): string {
  switch (one.kind) {
    case 'manifest':
      return `Add the CustomResourceDefinitions of ${one.manifest.file} of ${one.manifest.version} as they are published, and nothing else of it: they are not repeated here.`;
    case 'helm':
      return `Values of Helm release ${one.namespace}/${one.release}: ${Object.entries(one.set)
        .map(([path, value]) => `${path}=${value}`)
        .join(', ')}`;
    case 'instruct':
      return `Not through the API: ${one.text}`;
  }
}
