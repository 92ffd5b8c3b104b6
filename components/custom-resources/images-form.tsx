'use client';

import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { valueAt } from '#lib/base/records.ts';
import type { InstallationStepData } from '#lib/console/wizard/index.ts';
import { renamedImage } from '#lib/spec/images/image-name.ts';
import { textAt } from './edit-spec.ts';
import { useSpecEditing } from './spec-editing.tsx';
import { SpecText } from './spec-fields.tsx';

/** Registry, path and prefix of images, with the resulting names. */
export function ImagesForm({ images }: { images: InstallationStepData['images'] }) {
  const { spec } = useSpecEditing();
  const naming = {
    registry: textAt(spec, ['registry']),
    imagePath: textAt(spec, ['imagePath']),
    imagePrefix: textAt(spec, ['imagePrefix']),
  };
  const secrets = valueAt(spec, ['imagePullSecrets']);
  const named = Array.isArray(secrets) ? secrets.map((one) => textAt(one ?? {}, ['name'])).join(', ') : '';
  return (
    <Panel title="Images">
      <div className="grid grid-cols-1 gap-x-3 gap-y-4 px-4 py-3 min-[480px]:grid-cols-2">
        <SpecText path={['registry']} label="Registry" placeholder="as published" hint="With a slash at its end." />
        <SpecText path={['imagePath']} label="Path" placeholder="as published" hint="In place of calico." />
        <SpecText path={['imagePrefix']} label="Prefix" placeholder="none" hint="Before the last part of each name." />
        <SpecText
          path={['imagePullSecrets']}
          label="Pull secrets"
          kind="names"
          shown={named}
          placeholder="none"
          hint="Names of Secrets in namespace tigera-operator, with commas between them."
        />
        <div className="col-span-full">
          <Names images={images} naming={naming} />
        </div>
      </div>
    </Panel>
  );
}

function Names({
  images,
  naming,
}: {
  images: InstallationStepData['images'];
  naming: Parameters<typeof renamedImage>[1];
}) {
  if (images === null)
    return <p className="text-sm text-ink-2">The list of images appears once the files of the release are here.</p>;
  const names = images.names.map((image) => renamedImage(image, naming));
  const agent = names.find((name) => /[/-]node:/.test(name)) ?? names[0];
  return (
    <>
      <p className="text-sm text-ink-2">
        Nodes pull, for example, <code className="text-ink [overflow-wrap:anywhere]">{agent}</code>
      </p>
      <div className="mt-2">
        <Disclosure summary={`All ${names.length} names, for a mirror`}>
          <ul className="grid gap-0.5">
            {names.map((name) => (
              <li key={name}>
                <code className="[overflow-wrap:anywhere]">{name}</code>
              </li>
            ))}
          </ul>
          {images.missing !== null && (
            <p className="mt-2 text-sm text-ink-2">
              <StateMark state="unknown">Not all is known</StateMark> {images.missing}
            </p>
          )}
        </Disclosure>
      </div>
    </>
  );
}
