import { agreeing, counted, thousands } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { whereDefinitionsAre } from '../reading/definitions.ts';

/** Limit for all annotations of an object together: https://github.com/kubernetes/apimachinery/blob/master/pkg/api/validation/objectmeta.go */
const limitBytes = 262_144;

export const upgradeCrdClientSideApplied = defineCheck({
  id: 'upgrade.crd-client-side-applied',
  group: 'Installation and upgrade',
  severity: 'info',
  goals: ['upgrade'],
  reads: ['installation', 'definitions'],
  title: 'No definition carries a copy of itself from kubectl apply',
  gap: 'Definitions carry a copy from kubectl apply',
  topic: 'Copies of definitions',
  ifIgnored: 'A later kubectl apply fails',
  consequence:
    'Client-side kubectl apply copies a definition into an annotation. The larger definitions of a newer release do not fit there: kubectl apply ends with "Too long".',
  remedy: {
    steps: [
      'Nothing to do now: the upgrade applies the definitions on the server, which needs no copy.',
      'Do the same in your own scripts: kubectl apply --server-side --force-conflicts.',
    ],
    command: 'kubectl get customresourcedefinitions -o yaml | grep -c last-applied-configuration',
  },
  source: 'pain H1',
  appliesTo: whereDefinitionsAre,
  run: ({ upgrade: { definitions } }) => {
    const applied = definitions.flatMap(({ name, lastAppliedBytes }) =>
      lastAppliedBytes === null ? [] : [{ name, bytes: lastAppliedBytes }],
    );
    if (applied.length === 0) return { kind: 'pass' };
    const largest = Math.max(...applied.map(({ bytes }) => bytes));
    return {
      kind: 'fail',
      because: `${counted(applied.length, 'definition')} ${agreeing(applied.length, 'was', 'were')} applied by kubectl on the client's side; the largest copy has ${written(largest)} of at most ${written(limitBytes)} bytes.`,
      subjects: applied.map(({ name, bytes }) => ({
        kind: 'CustomResourceDefinition',
        namespace: null,
        name,
        detail: `carries a copy of ${written(bytes)} bytes`,
      })),
      evidence: applied.slice(0, 20).map(({ name, bytes }) => ({
        object: `CustomResourceDefinition/${name}`,
        path: "metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']",
        value: `${bytes} bytes`,
      })),
    };
  },
});

function written(bytes: number): string {
  return thousands(bytes);
}
