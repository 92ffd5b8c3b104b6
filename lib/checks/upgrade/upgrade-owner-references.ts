import { agreeing, counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { isCovered } from '../framework/coverage.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { isKnownInstall } from '../reading/installation.ts';
import { kindAndName } from '../reading/object-subject.ts';
import { namesOf, subjectEvidence } from '../reading/subject-names.ts';
import { crosses } from '../reading/upgrade.ts';

/** The release that changed the UIDs (gate V5). */
const changedIn = 'v3.28.0';

/** Whether the plan can update the references: Signalbox must have read all of them, and Calico's API must serve the new UIDs. `steps`: what to do if not. */
function plannedUpdate(facts: Facts): { isPlanned: boolean; steps?: string[] } {
  if (!isKnownInstall(facts) || facts.upgrade.dependants.length === 0) return { isPlanned: false };
  if (facts.resources.apis.v3Available !== true) return { isPlanned: false, steps: unservedSteps };
  if (!isCovered(facts, 'ownerReferences')) return { isPlanned: false, steps: unseenSteps };
  return { isPlanned: true, steps: plannedSteps };
}

const unservedSteps = [
  "Let Calico's own API answer first: create the APIServer resource where there is none, and see that v3.projectcalico.org becomes available. The plan then carries these references over; without that API nothing tells the new UIDs, and they could not be brought back.",
  'If these owner references are not needed, remove them for good, and pause the tools that write them.',
  'Check again.',
];

const unseenSteps = [
  'Grant the right to list the metadata of all kinds, or read the whole cluster: an owner reference that is not read is not updated, and Kubernetes deletes its object.',
  'Check again: the plan then carries these references over.',
];

const plannedSteps = [
  'Nothing has to be done: the plan removes these owner references before the operator is replaced, keeps them in its journal, and adds them again with the new UIDs.',
  'Where a controller writes them, pause it until the upgrade is done: the run stops and names it if it brings them back.',
];

export const upgradeOwnerReferences = defineUpgradeCheck({
  id: 'upgrade.owner-references',
  severity: 'blocking',
  reads: ['ownerReferences', 'apis'],
  title: "No object has an owner in Calico's own API",
  gap: "Objects have owners in Calico's own API",
  topic: 'Owner references',
  ifIgnored: 'Kubernetes deletes what they own',
  consequence:
    'UIDs of projectcalico.org/v3 objects change with this upgrade. The garbage collector then finds no owner with the old UID and deletes whatever still refers to it.',
  remedy: {
    steps: [
      'Before the upgrade, remove the owner references to projectcalico.org/v3, and note them.',
      'Pause the tools that write them.',
      'After the upgrade, add them again with the new UIDs of the owners.',
    ],
  },
  source: 'spec › Versioning; pain H13',
  evaluate: (upgrade, facts) => {
    const { from, to } = upgrade;
    const isCrossed = crosses(upgrade, changedIn);
    if (isCrossed === 'no') {
      return { kind: 'skipped', because: `From ${from} to ${to} no UID changes.`, restsOn: ['installation'] };
    }
    const { ownerReferences } = facts.upgrade;
    const restsOn = ['installation', 'ownerReferences'] as const;
    if (ownerReferences.length === 0) {
      return isCrossed === 'yes'
        ? { kind: 'pass', because: 'No object of any kind has such an owner.', restsOn }
        : { kind: 'unknown', because: `The step from ${from} to ${to} may change UIDs: not verified.`, restsOn };
    }
    const [first] = ownerReferences;
    // Then the plan has all three steps, each with its undo.
    const { isPlanned, steps } = plannedUpdate(facts);
    const where = first?.namespace == null ? '' : `-n ${shellWord(first.namespace)} `;
    return {
      kind: 'fail',
      because: `${counted(ownerReferences.length, 'object')} ${agreeing(ownerReferences.length, 'is', 'are')} owned by objects whose UID changes from ${from} to ${to}: ${namesOf(ownerReferences)}.`,
      subjects: ownerReferences,
      ...(isPlanned ? { severity: 'info' as const } : {}),
      remedy: {
        ...upgradeOwnerReferences.remedy,
        ...(steps ? { steps } : {}),
        command: `kubectl ${where}get ${kindAndName(first ?? { kind: '', name: '' }, shellWord)} -o yaml --show-managed-fields`,
      },
      evidence: subjectEvidence(ownerReferences, 'metadata.ownerReferences'),
    };
  },
});
