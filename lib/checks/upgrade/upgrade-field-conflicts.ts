import { same } from '#lib/base/records.ts';
import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, names, type ReleaseContents } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { manifestChanges } from '../by-hand/manifest-changes.ts';
import type { Result } from '../check.ts';
import { type DryRunResult, filesOf } from '../framework/release-files.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { definitionsOfTarget, isNeededHere } from '../reading/definitions.ts';
import { isManifestInstall, manifestFileOf } from '../reading/installation.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';
import { publishedFiles } from '../reading/published-files.ts';
import { listed, sentence, shareOf } from '../wording/sentences.ts';

const everyManager =
  "kubectl get customresourcedefinitions -o yaml --show-managed-fields | grep 'manager:' | sort | uniq -c";

/** The field with the schemas; it is owned as a whole. */
const versions = 'spec.versions';

export const upgradeFieldConflicts = defineUpgradeCheck({
  id: 'upgrade.field-conflicts',
  severity: 'warning',
  reads: ['definitions'],
  title: 'No other tool owns the fields that the upgrade writes',
  gap: 'Other tools own fields that the upgrade writes',
  topic: 'Owners of the fields',
  ifIgnored: 'Other tools may revert the upgrade',
  consequence:
    'The upgrade takes over such fields by force. A tool that writes them again restores the old content, during the upgrade or after it.',
  remedy: {
    steps: ['Make sure that the tools that wrote them do not write the old release again.', 'Check again.'],
    command: everyManager,
  },
  source: 'pain H3',
  evaluate: ({ from, to }, facts, choices, files) => {
    const isKept = keptByHand(facts, choices, { old: filesOf(files.running, from), next: filesOf(files.target, to) });
    const tried = (files.tried ?? []).flatMap((one) =>
      isWrittenByUs(one.object, facts) ? [withoutKept(one, isKept)] : [],
    );
    if (filesOf(files.target, to) && tried.length > 0) return resultOfDryRuns(tried, to);
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
      return onlyDryRun(`${who} The files of ${to} were not read: not verified whether it changes them.`, to, facts);
    }
    if (changing.length === 0)
      return onlyDryRun('No definition that the upgrade changes has another writer.', to, facts);
    return conflicting(
      changing.map(({ name, manager, operation }) => ({
        object: `CustomResourceDefinition/${name}`,
        manager,
        field: versions,
        how: ` (${operation})`,
      })),
    );
  },
});

/** Whether Signalbox writes the object itself. Under Helm only definitions, with force; Helm merges the others and forces nothing. */
const isWrittenByUs = (object: string, { installation }: Facts) =>
  installation.method !== 'helm' || object.startsWith('CustomResourceDefinition/');

type IsKept = (object: string, field: string) => boolean;

/**
 * Fields that were changed by hand and are kept: their value does not change, so their owner loses nothing. The server's dry run has only the file,
 * without these values. An image of which only the registry is kept still changes.
 */
function keptByHand(
  facts: Facts,
  choices: Choices,
  { old, next }: { old: ReleaseContents | null; next: ReleaseContents | null },
): IsKept {
  const file = manifestFileOf(facts);
  const coming = next?.manifests[file];
  if (!isManifestInstall(facts) || coming === undefined) return () => false;
  const { changes } = manifestChanges(facts, {
    old: old?.manifests[file] ?? null,
    next: coming,
    answers: choices.changes ?? {},
  });
  const unchanged = changes.filter(({ becomes, live }) => same(becomes, live));
  return (object, field) => {
    const path = inOurWords(field);
    return unchanged.some(
      (one) =>
        one.object === object &&
        (path === one.path || (/^[.[]/.test(path.slice(one.path.length)) && path.startsWith(one.path))),
    );
  };
}

/** The key that identifies a list's member if the server names several (manual-changes.ts). */
const memberKeys = ['mountPath', 'containerPort', 'name', 'ip', 'port'];

/** `.spec.containers[name="calico-node"].image` → `spec.containers[calico-node].image` */
function inOurWords(field: string): string {
  return field.replace(/^\./, '').replace(/\[([^\]]*)\]/g, (step, keys: string) => {
    const pairs = new Map(
      [...keys.matchAll(/([A-Za-z]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g)].map(([, key, value]) => [key, value]),
    );
    const known = memberKeys.find((key) => pairs.has(key));
    return known === undefined ? step : `[${pairs.get(known)?.replace(/^"|"$/g, '')}]`;
  });
}

function withoutKept(one: DryRunResult, isKept: IsKept): DryRunResult {
  return 'conflicts' in one
    ? { ...one, conflicts: one.conflicts.filter(({ field }) => !isKept(one.object, field)) }
    : one;
}

/** A field that another manager owns and that the upgrade would change. */
type Owned = { readonly object: string; readonly manager: string; readonly field: string; readonly how: string };

/** Fields of Signalbox's own field manager, from earlier runs, are no conflict. */
const isOfOthers = ({ manager }: { readonly manager: string }) => manager !== names.fieldManager;

/** The result of the server's dry runs of all objects that the upgrade writes. */
function resultOfDryRuns(tried: readonly DryRunResult[], to: string): Result {
  const owned = tried.flatMap((one) =>
    'conflicts' in one
      ? one.conflicts.filter(isOfOthers).map((conflict) => ({ object: one.object, ...conflict, how: '' }))
      : [],
  );
  const untried = tried.flatMap((one) => ('unknown' in one ? [one] : []));
  const left = `${shareOf(untried.length, tried.length, 'object')} of ${to} could not be tried without force`;
  if (owned.length > 0) return conflicting(owned, untried.length === 0 ? '' : ` ${left}.`);
  const [first] = untried;
  if (first === undefined) {
    return {
      kind: 'pass',
      because: `The server takes every object of ${to} without force: ${counted(tried.length, 'was', 'were')} tried.`,
      restsOn: ['installation'],
    };
  }
  return {
    kind: 'unknown',
    because: `${left}. ${sentence(first.unknown)}`,
    subjects: untried.map(({ object, unknown }) => ({ ...objectSubject(object), detail: sentence(unknown) })),
    restsOn: ['installation'],
  };
}

/** Without duplicates: a server names a field once for each entry of a manager, and one that used two API versions has two. */
function conflicting(conflicts: readonly Owned[], more = ''): Result {
  const owned = [...new Map(conflicts.map((one) => [Object.values(one).join(' '), one])).values()];
  const byManager = [...Map.groupBy(owned, ({ manager }) => manager)];
  const byObject = [...Map.groupBy(owned, ({ object }) => object)];
  return {
    kind: 'fail',
    because: `${listed(
      byManager.map(([manager, own]) => `${manager} owns ${ownedInWords(own)}`),
      5,
    )} that the upgrade changes.${more}`,
    subjects: byObject.map(([object, own]) => ({
      ...objectSubject(object),
      detail: [...Map.groupBy(own, ({ manager, how }) => `${manager}${how}`)]
        .map(
          ([who, fields]) =>
            `${who} owns ${listed(
              fields.map(({ field }) => field),
              8,
            )}`,
        )
        .join('; '),
    })),
    remedy: {
      steps: [
        ...byManager.map(([manager]) => whatToDo(manager)),
        'Accept this when nothing writes the old content again: the upgrade takes the fields over.',
      ],
      command: managersOf(byObject.map(([object]) => object)),
    },
    evidence: owned.slice(0, 20).map(({ object, field, manager }) => ({
      object,
      path: `metadata.managedFields of ${field}`,
      value: manager,
    })),
  };
}

/** A command that shows the managers: one for all definitions, and one for each other object. */
function managersOf(objects: readonly string[]): string {
  const others = objects.filter((object) => !object.startsWith('CustomResourceDefinition/'));
  const lines = others
    .slice(0, 5)
    .map((object) => `kubectl get ${kubectlArguments(object, shellWord)} -o yaml --show-managed-fields`);
  return [...(others.length < objects.length ? [everyManager] : []), ...lines].join('\n');
}

/** `spec.versions of 2 definitions`, `4 fields of 3 objects`. */
function ownedInWords(own: readonly Owned[]): string {
  const [field = '', ...others] = new Set(own.map((one) => one.field));
  const objects = new Set(own.map(({ object }) => object));
  const noun = own.every(({ object }) => object.startsWith('CustomResourceDefinition/')) ? 'definition' : 'object';
  return `${others.length === 0 ? field : counted(own.length, 'field')} of ${counted(objects.size, noun)}`;
}

function onlyDryRun(because: string, to: string, facts: Facts): Result {
  const files = publishedFiles(to, facts).map((file) => `-f ${shellWord(file)}`);
  return {
    kind: 'unknown',
    because: `${because} Conflicts of the other objects are known only when the server tries them without force.`,
    remedy: {
      steps: [
        'Let the server try the files of the release without force: it names each conflict with its manager, and changes nothing.',
        'Accept this when those that it names are settled.',
      ],
      command: `kubectl apply --server-side --dry-run=server --field-manager=${names.fieldManager} ${files.join(' ')}`,
    },
  };
}

/** What to do, by the manager's name: pain B4, H3. */
function whatToDo(manager: string): string {
  if (manager === names.operatorFieldManager) {
    return 'operator: the operator of the old release writes its own definitions until it is replaced, which the upgrade waits for.';
  }
  if (/^kubectl/.test(manager) || manager === 'before-first-apply') {
    return `${manager}: applied by hand. See that no script applies the old release again.`;
  }
  if (/^helm/i.test(manager)) return `${manager}: the next helm upgrade of an older chart would bring them back.`;
  return `${manager}: change it at its source, or pause it until the upgrade has ended.`;
}
