import { names } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { felixConfiguration, felixField, felixId } from '../reading/felix.ts';
import { isManifestInstall } from '../reading/installation.ts';
import { quoted } from '../wording/sentences.ts';

export const installFelixAnnotation = defineCheck({
  id: 'install.felix-annotation',
  group: 'Installation and upgrade',
  severity: 'blocking',
  goals: ['enable'],
  reads: ['felix', 'installation'],
  title: 'Only the operator has set bpfEnabled',
  gap: 'bpfEnabled was set by hand',
  topic: 'bpfEnabled',
  ifIgnored: 'The operator refuses to switch',
  consequence:
    'The operator refuses to switch: "FelixConfiguration has been modified by someone else". Sometimes it says so only in its log.',
  remedy: {
    steps: ['Add the fix to the plan: it changes the annotation at the right moment of the switch.'],
    details: ['If you change it by hand too early, eBPF is switched off.'],
    autofix: 'felix.annotation',
  },
  source: 'pain F5',
  appliesTo: (facts) =>
    isManifestInstall(facts)
      ? { because: 'No operator runs here, so nothing compares the two.', restsOn: ['installation'] }
      : true,
  run: (facts) => {
    const field = felixField(facts, 'bpfEnabled');
    const annotation = felixConfiguration(facts)?.metadata.annotations?.[names.bpfEnabledAnnotation];
    const agree = (field === undefined || field === null ? undefined : String(field)) === annotation;
    if (agree) return { kind: 'pass', restsOn: ['felix'] };
    const found =
      annotation === undefined ? 'the annotation is not there' : `the annotation says ${quoted(annotation)}`;
    const set =
      field === undefined || field === null
        ? 'bpfEnabled is not set'
        : `bpfEnabled is ${typeof field === 'boolean' ? field : quoted(field)}`;
    return {
      kind: 'fail',
      because: `In FelixConfiguration default ${set}, and ${found}: the operator did not write one of them.`,
      subjects: [
        { kind: 'FelixConfiguration', namespace: null, name: names.felixConfiguration, detail: `${set}, ${found}` },
      ],
      evidence: [
        { object: felixId, path: 'spec.bpfEnabled', value: field ?? null },
        { object: felixId, path: `metadata.annotations['${names.bpfEnabledAnnotation}']`, value: annotation ?? null },
      ],
    };
  },
});
