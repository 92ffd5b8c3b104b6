import type { Facts } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Result } from './check.ts';
import { defineUpgradeCheck } from './framework/upgrade-check.ts';
import { definitionsOfTarget, isNeededHere } from './reading/definitions.ts';
import { publishedFiles } from './reading/published-files.ts';
import { counted, listed } from './wording/sentences.ts';
import { shellWord } from './wording/shell.ts';

/** Where the schemas are: one field for whoever owns it. */
const versions = 'spec.versions';

export const upgradeFieldConflicts = defineUpgradeCheck({
  id: 'upgrade.field-conflicts',
  severity: 'warning',
  reads: ['definitions'],
  title: 'Nobody else owns the fields that the upgrade writes',
  consequence:
    'The upgrade takes such fields over by force. Whoever writes them again brings the old content back, in the middle of the upgrade or after it.',
  remedy: {
    steps: ['See that the tools that wrote them do not write the old release again.', 'Check again.'],
    command: "kubectl get customresourcedefinitions -o yaml --show-managed-fields | grep 'manager:' | sort | uniq -c",
  },
  source: 'pain H3',
  judge: ({ to }, facts, _choices, files) => {
    if (facts.installation.method === 'manifest-etcd')
      return onlyDryRun('No definition of Calico is on this cluster.', to, facts);
    const target = definitionsOfTarget(to, files, facts);
    const others = facts.upgrade.definitions
      .filter(({ name }) => isNeededHere(name, facts))
      .flatMap(({ name, fingerprint, writers }) =>
        writers
          .filter(({ manager, fields }) => manager !== names.fieldManager && fields.includes(versions))
          .map(({ manager, operation }) => ({ name, fingerprint, manager, operation })),
      );
    const changing =
      target && others.filter(({ name, fingerprint }) => (target.fingerprints[name] ?? fingerprint) !== fingerprint);
    if (changing === null) {
      const managers = [...new Set(others.map(({ manager }) => manager))];
      const who =
        managers.length === 0
          ? 'No other writer of definitions is recorded.'
          : `${listed(managers)} wrote definitions.`;
      return onlyDryRun(`${who} Whether ${to} changes them is not known here: its files were not read.`, to, facts);
    }
    if (changing.length === 0)
      return onlyDryRun('No definition that the upgrade changes has another writer.', to, facts);
    const byManager = [...Map.groupBy(changing, ({ manager }) => manager)];
    return {
      kind: 'fail',
      because: `${listed(
        byManager.map(([manager, own]) => `${manager} owns ${versions} of ${counted(own.length, 'definition')}`),
        5,
      )} that the upgrade changes.`,
      subjects: changing.map(({ name, manager, operation }) => ({
        kind: 'CustomResourceDefinition',
        namespace: null,
        name,
        detail: `${versions} by ${manager} (${operation})`,
      })),
      remedy: {
        steps: [
          ...byManager.map(([manager]) => whatToDo(manager)),
          'Acknowledge this when nobody writes the old definitions again: the upgrade takes the fields over.',
        ],
        ...(upgradeFieldConflicts.remedy.command === undefined
          ? {}
          : { command: upgradeFieldConflicts.remedy.command }),
      },
      evidence: changing.slice(0, 20).map(({ name, manager }) => ({
        object: `CustomResourceDefinition/${name}`,
        path: `metadata.managedFields of ${versions}`,
        value: manager,
      })),
    };
  },
});

function onlyDryRun(because: string, to: string, facts: Facts): Result {
  const files = publishedFiles(to, facts).map((file) => `-f ${shellWord(file)}`);
  return {
    kind: 'unknown',
    because: `${because} Conflicts of the other objects are known only when the server tries them without force.`,
    remedy: {
      steps: [
        'Let the server try the files of the release without force: it names each conflict with its manager, and changes nothing.',
        'Acknowledge this when those that it names are settled.',
      ],
      command: `kubectl apply --server-side --dry-run=server --field-manager=${names.fieldManager} ${files.join(' ')}`,
    },
  };
}

/** By the manager's name: pain B4, H3. */
function whatToDo(manager: string): string {
  if (manager === names.operatorFieldManager) {
    return 'operator: the operator of the old release writes its own definitions until it is replaced, which the upgrade waits for.';
  }
  if (/^kubectl/.test(manager) || manager === 'before-first-apply') {
    return `${manager}: somebody applied them by hand. See that no script applies the old release again.`;
  }
  if (/^helm/i.test(manager)) return `${manager}: the next helm upgrade of an older chart would bring them back.`;
  return `${manager}: change it at its source, or pause it until the upgrade has ended.`;
}
