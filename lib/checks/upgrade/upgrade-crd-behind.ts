import { agreeing, counted } from '#lib/base/words.ts';
import type { Evidence, Facts, Subject } from '#lib/facts/index.ts';
import { isForOpenshift } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import type { Result } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';
import { filesOf } from '../framework/release-files.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { definitionNames, definitionsOfTarget, isNeededHere } from '../reading/definitions.ts';
import { publishedFiles } from '../reading/published-files.ts';
import { listed } from '../wording/sentences.ts';

export const upgradeCrdBehind = defineUpgradeCheck({
  id: 'upgrade.crd-behind',
  severity: 'info',
  reads: ['definitions'],
  title: "The definitions of Calico's kinds are those of the target",
  gap: "Definitions of Calico's kinds are of another release",
  topic: "Definitions of Calico's kinds",
  ifIgnored: 'The operator restarts over and over',
  consequence:
    'With older definitions the API server drops or refuses fields that the new operator writes, and the operator restarts again and again.',
  remedy: {
    steps: ['Nothing to do now: the upgrade applies the definitions of the target before anything else.'],
    command: 'kubectl get customresourcedefinitions -o name',
  },
  source: 'pain H2',
  evaluate: ({ to }, facts, _choices, files) => {
    if (facts.installation.method === 'manifest-etcd') {
      return {
        kind: 'skipped',
        because: 'Calico keeps its data in etcd: the cluster has no definitions of it.',
        restsOn: ['installation'],
      };
    }
    const held = Object.keys(filesOf(files.target, to)?.manifests ?? {});
    if (held.length > 0 && held.every(isForOpenshift)) {
      return {
        kind: 'skipped',
        because: `On OpenShift the operator of ${to} brings the definitions itself, when it starts.`,
        restsOn: ['installation', 'platform'],
      };
    }
    const target = definitionsOfTarget(to, files, facts);
    if (target === null) return byNamesAlone(to, facts);
    const needed = Object.entries(target.fingerprints).filter(([name]) => isNeededHere(name, facts));
    const live = new Map(facts.upgrade.definitions.map(({ name, fingerprint }) => [name, fingerprint]));
    // Only with full coverage does a missing entry mean that the definition does not exist.
    const missing = isCovered(facts, 'definitions') ? needed.filter(([name]) => !live.has(name)) : [];
    const other = needed.filter(([name, fingerprint]) => live.has(name) && live.get(name) !== fingerprint);
    if (missing.length + other.length === 0) {
      const all = agreeing(needed.length, 'The definition is that', `All ${needed.length} definitions are those`);
      return { kind: 'pass', because: `${all} of ${to}.` };
    }
    const subjects = [
      ...other.map(([name]) => subject(name, `its schema is not that of ${to}`)),
      ...missing.map(([name]) => subject(name, `is not there, ${to} brings it`)),
    ];
    const added =
      missing.length === 0 ? '' : `, ${missing.length} of them ${agreeing(missing.length, 'is', 'are')} new`;
    return {
      kind: 'fail',
      because: `${counted(subjects.length, 'definition')} of ${needed.length} ${agreeing(subjects.length, 'changes', 'change')} with ${to}${added}: ${listed(subjects.map(({ name }) => name))}.`,
      subjects,
      evidence: evidenceOf(
        facts,
        other.slice(0, 20).map(([name]) => name),
      ),
    };
  },
});

/** The result without the release's files: only the names of definitions that it must bring are known. */
function byNamesAlone(to: string, facts: Facts): Result {
  const live = new Set(facts.upgrade.definitions.map(({ name }) => name));
  const missing = isCovered(facts, 'definitions')
    ? definitionNames(to).filter((name) => isNeededHere(name, facts) && !live.has(name))
    : [];
  const command = `kubectl diff --server-side ${publishedFiles(to, facts)
    .map((file) => `-f ${shellWord(file)}`)
    .join(' ')}`;
  if (missing.length > 0) {
    return {
      kind: 'fail',
      because: `${counted(missing.length, 'definition')} of ${to} ${agreeing(missing.length, 'is', 'are')} not there: ${listed(missing)}. Changes of the others were not read.`,
      subjects: missing.map((name) => subject(name, `is not there, ${to} brings it`)),
      remedy: { ...upgradeCrdBehind.remedy, command },
    };
  }
  return {
    kind: 'unknown',
    because: `The files of ${to} were not read: definitions not compared.`,
    restsOn: ['installation'],
    remedy: {
      steps: [
        'Nothing is to be done now: the upgrade applies the definitions of the target before anything else.',
        'To see what changes, compare the files of the release with the cluster.',
      ],
      command,
    },
  };
}

function subject(name: string, detail: string): Subject {
  return { kind: 'CustomResourceDefinition', namespace: null, name, detail };
}

function evidenceOf({ upgrade: { definitions } }: Facts, names: readonly string[]): Evidence[] {
  return definitions
    .filter(({ name }) => names.includes(name))
    .map(({ name, generator }) => ({
      object: `CustomResourceDefinition/${name}`,
      path: "metadata.annotations['controller-gen.kubebuilder.io/version']",
      value: generator,
    }));
}
