import { inList } from '#lib/base/words.ts';
import { resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation, write, writeBack } from '../define-operation.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { patched, ref, undoneBy } from '../pins/parts.ts';
import { mapOf, text } from '../pins/pattern.ts';
import { isRequested } from '../upgrade/afterwards/refuse-afterwards.ts';
import { injector, templateAt, templateVersion } from '../upgrade/afterwards/sidecars.ts';

const { namespace = '' } = injector;

const textsWritten = (context: PlanContext) => templateAt(context.before, requiredRelease(context).version);
const written = (context: PlanContext) => write(injector, { data: textsWritten(context) });

/** Texts of the injector that name a sidecar. Only a comparison with the cluster shows whether the rest of them was changed. */
const itsTexts = patched(ref(injector), { data: mapOf(text(/\bdikastes:v\d/)) });

/** spec › Application layer policy upgrade: the template for new pods. Only its image follows the release, so that people's changes of the rest stay. */
export const sidecarTemplate = defineOperation({
  id: 'sidecar.template',
  title: (context) => `Let new pods get the sidecar of ${requiredRelease(context).version}`,
  why: (context) =>
    `Istio’s injector adds the sidecar of ${templateVersion(context.before) ?? 'another release'} to each new pod, by ${inList(Object.keys(textsWritten(context)))} of its ConfigMap. Pods that run keep theirs until they are replaced.`,
  whenPaused: 'New pods get the new sidecar; those that run keep theirs. Both work with the new agents.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) => isRequested('sidecars', context) && Object.keys(textsWritten(context)).length > 0,
  mayWrite: () => ({ step: itsTexts, undo: undoneBy('options', itsTexts) }),
  needs: ({ sidecars = [] }) =>
    sidecars.length === 0 ? [] : [rule(resources.configMaps, ['get', 'patch'], { namespace, names: [injector.name] })],
  reads: (context) => [{ target: injector, paths: Object.keys(textsWritten(context)).map((key) => ['data', key]) }],
  act: (context) => written(context).act,
  done: (context) => written(context).done,
  undo: (context) => ({
    title: `Let new pods get the sidecar of ${templateVersion(context.before) ?? 'before'} again`,
    ...writeBack(context, injector, { data: textsWritten(context) }),
    phase: 'options',
  }),
});
