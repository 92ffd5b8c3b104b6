import type { DefinitionFact, Facts } from '#lib/facts/index.ts';
import type { Choices, ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import type { Finding } from '../findings.ts';
import type { ReleaseFiles } from '../framework/release-files.ts';
import { runChecks } from '../framework/run-checks.ts';
import { aFacts, type Overrides, someChoices } from './a-facts.ts';
import { testTime } from './find.ts';

/** The finding of one check for an upgrade; by default from v3.30.7 to v3.31.4. */
export function findUpgrading(
  id: string,
  {
    from = 'v3.30.7',
    to = 'v3.31.4',
    facts = {},
    files = {},
    choices = {},
  }: {
    from?: string | null;
    to?: string;
    facts?: Overrides<Facts> | Facts;
    files?: ReleaseFiles;
    choices?: Partial<Choices>;
  } = {},
): Finding {
  const read = 'kind' in facts && facts.kind === 'Facts' ? (facts as Facts) : aFacts(facts as Overrides<Facts>);
  const running = { ...read, installation: { ...read.installation, version: from } };
  const { findings } = runChecks(running, someChoices({ goal: 'upgrade', release: to, ...choices }), {
    now: testTime,
    files,
  });
  const found = findings.find((one) => one.id === id);
  if (!found) throw new Error(`${id} has no finding`);
  return found;
}

/** A definition as its release's operator wrote it. */
export function aDefinition(overrides: Partial<DefinitionFact> = {}): DefinitionFact {
  return {
    name: 'installations.operator.tigera.io',
    fingerprint: '0000000000000000',
    generator: 'v0.17.3',
    lastAppliedBytes: null,
    writers: [],
    ...overrides,
  };
}

/** A release that holds one file. */
export function aRelease(version: string, file: string, objects: readonly ManifestObject[]): ReleaseContents {
  return {
    version,
    operator: 'v1.40.7',
    source: 'a folder',
    manifests: { [file]: { version, file, sha256: '0'.repeat(64), objects } },
  };
}
