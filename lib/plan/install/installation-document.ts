import { isRecord, mergePatch } from '#lib/base/records.ts';
import {
  chosenInstallation,
  customResources,
  type InstallationProblem,
  type InstallationSpec,
  installationContextOf,
  installationProblems,
} from '#lib/installation/index.ts';
import type { Choices, ManifestObject } from '#lib/spec/index.ts';
import { fixedFlexVolumePath } from '../fixes.ts';
import { fieldAt } from '../objects/field.ts';
import { installation } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { PlanError } from '../plan-error.ts';

type Known = Pick<PlanContext, 'facts' | 'choices' | 'release'>;

/** *install* without eBPF: no eBPF field is set, and the service proxy stays. */
export function isStandard({ choices }: Pick<PlanContext, 'choices'>): boolean {
  return choices.goal === 'install' && choices.dataplane === 'Iptables';
}

/** The CNI that will connect pods, if the document says so. */
export function chosenCni(known: Known): string | undefined {
  return installationDocument(known).cni?.type;
}

/** The `spec` that the Installation gets (lib/installation). An Installation that exists already keeps its fields, except the data plane. */
export function installationDocument({ facts, choices, release }: Known): InstallationSpec {
  const spec: InstallationSpec = chosenInstallation({ facts, choices: withFound(facts, choices), release });
  const flexVolumePath = fixedFlexVolumePath({ facts, choices });
  return flexVolumePath === undefined ? spec : { ...spec, flexVolumePath };
}

/** The objects of the custom resources file, with that document in it (spec › Endpoints › Apply custom resources). */
export function customResourceObjects(known: Known): readonly ManifestObject[] {
  return customResources(requiredRelease(known), installationDocument(known));
}

/** Refuses what the operator would refuse, before anything is applied. Throws PlanError with the field. */
export function refuseInvalidInstallation(known: Known): void {
  const error = problemsOf(known).find(({ severity }) => severity === 'error');
  if (error)
    throw new PlanError('choices.installation', `installation: ${error.sentence}`, ['installation', ...error.path]);
}

/** Fields that the operator accepts but that somebody should check, one sentence for each. */
export function installationDoubts(known: Known): string[] {
  return problemsOf(known).flatMap(({ severity, sentence }) => (severity === 'warning' ? [sentence] : []));
}

function problemsOf(known: Known): InstallationProblem[] {
  return installationProblems(installationDocument(known), installationContextOf(known));
}

function withFound(facts: Known['facts'], choices: Choices): Choices {
  const found = fieldAt(objectOf(facts.resources.objects, installation), ['spec']);
  if (choices.installation !== undefined || !isRecord(found)) return choices;
  const dataplane = { calicoNetwork: { linuxDataplane: choices.dataplane ?? 'BPF' } };
  return { ...choices, installation: mergePatch(found, dataplane) as Record<string, unknown> };
}
