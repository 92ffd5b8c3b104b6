import { agreeing, counted } from '#lib/base/words.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { namesOf } from '../reading/subject-names.ts';
import { crosses } from '../reading/upgrade.ts';

/** The release that changed the UIDs (gate V5). */
const changedIn = 'v3.28.0';

export const upgradeOwnerReferences = defineUpgradeCheck({
  id: 'upgrade.owner-references',
  severity: 'blocking',
  reads: ['ownerReferences'],
  title: "No object is owned by one of Calico's own API",
  gap: "Objects are owned by objects of Calico's own API",
  topic: 'Owner references',
  ifIgnored: 'Kubernetes deletes what they own',
  consequence:
    'UIDs of projectcalico.org/v3 objects change with this upgrade. The garbage collector then finds no owner with the old UID and deletes whatever still refers to it.',
  remedy: {
    steps: [
      'Before the upgrade, take the owner references to projectcalico.org/v3 away, and note them.',
      'Pause whatever writes them.',
      'After the upgrade, add them again with the new UIDs of the owners.',
    ],
  },
  source: 'spec › Versioning; pain H13',
  judge: (upgrade, facts) => {
    const { from, to } = upgrade;
    const isCrossed = crosses(upgrade, changedIn);
    if (isCrossed === 'no') {
      return { kind: 'skipped', because: `From ${from} to ${to} no UID changes.`, restsOn: ['installation'] };
    }
    const { ownerReferences } = facts.upgrade;
    if (ownerReferences.length === 0) {
      return isCrossed === 'yes'
        ? { kind: 'pass', because: 'No object of any kind has such an owner.' }
        : { kind: 'unknown', because: `The step from ${from} to ${to} may change UIDs: not verified.` };
    }
    const [first] = ownerReferences;
    const where = first?.namespace == null ? '' : `-n ${shellWord(first.namespace)} `;
    return {
      kind: 'fail',
      because: `${counted(ownerReferences.length, 'object')} ${agreeing(ownerReferences.length, 'is', 'are')} owned by objects whose UID changes from ${from} to ${to}: ${namesOf(ownerReferences)}.`,
      subjects: ownerReferences,
      remedy: {
        ...upgradeOwnerReferences.remedy,
        command: `kubectl ${where}get ${shellWord((first?.kind ?? '').toLowerCase())} ${shellWord(first?.name ?? '')} -o yaml --show-managed-fields`,
      },
      evidence: ownerReferences.slice(0, 50).map(({ kind, namespace, name, detail }) => ({
        object: namespace === null ? `${kind}/${name}` : `${namespace}/${kind}/${name}`,
        path: 'metadata.ownerReferences',
        value: detail,
      })),
    };
  },
});
