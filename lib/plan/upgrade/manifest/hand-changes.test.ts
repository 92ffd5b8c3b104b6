import { expect, test } from 'vitest';
import { type Choices, type ManifestObject, objectId } from '#lib/spec/index.ts';
import { refOf } from '../../objects/release-objects.ts';
import { handChanges, isAbout } from '../../testing/changes-by-hand.ts';
import { isAway, type Manifest, operationsOf, publishedObjects, written } from '../../testing/manifest-upgrade.ts';

/** What people do to a manifest, kept and given up, from every published file to the newest one of its flavour. */

function changed(object: ManifestObject): ManifestObject {
  const copy = structuredClone(object);
  for (const one of handChanges) if (isAbout(one, copy)) one.change(copy);
  // An address that was never filled in stops every plan.
  if (copy.kind === 'ConfigMap' && 'etcd_endpoints' in (copy.data as object))
    Object.assign(copy.data as object, { etcd_endpoints: 'https://10.0.0.11:2379' });
  return copy;
}

const from = (flavours: readonly Manifest[], ...releases: readonly string[]) =>
  releases.flatMap((release) => flavours.map((manifest): [Manifest, string] => [manifest, release]));

test
  .skipIf(isAway)
  .each([
    ...from(['calico', 'policy-only', 'calico-etcd'], 'v3.24.6', 'v3.27.5', 'v3.30.7', 'v3.31.4'),
    ...from(['canal'], 'v3.27.5', 'v3.30.7', 'v3.31.4'),
    ...from(['canal-etcd'], 'v3.24.6', 'v3.27.5', 'v3.31.4'),
    ...from(['calico-bpf', 'calico-typha', 'calico-vxlan'], 'v3.31.4'),
  ])(
  '%s of %s, changed by hand: what is kept stays as it was, what is given up is as the new file has it',
  (manifest, release) => {
    const rows = handChanges.map((one) => {
      const [here] = publishedObjects(manifest, release, 'left-out').filter((object) => isAbout(one, object));
      const [next] = publishedObjects(manifest, 'v3.31.4', 'left-out').filter((object) => isAbout(one, object));
      if (!here || !next) throw new Error(`nothing to change: ${one.what}`);
      return { one, id: objectId(refOf(here)), mine: one.seen(changed(here)), theirs: one.seen(next) };
    });
    const outcome = (changes: NonNullable<Choices['changes']>) => {
      const operations = operationsOf({
        manifest,
        from: release,
        change: changed,
        choices: { changes },
        kinds: 'left-out',
      });
      return rows.map(({ one, id }) => [one.what, one.seen(written({ operations }, id) as ManifestObject)]);
    };
    expect(outcome({ all: 'keep' })).toEqual(rows.map(({ one, mine }) => [one.what, mine]));
    const given = Object.fromEntries(rows.map(({ one, id }) => [`${id}:${one.field}`, 'take' as const]));
    expect(outcome({ all: 'keep', ...given })).toEqual(rows.map(({ one, theirs }) => [one.what, theirs]));
    for (const { one, mine, theirs } of rows) expect([one.what, mine]).not.toEqual([one.what, theirs]);
  },
);
