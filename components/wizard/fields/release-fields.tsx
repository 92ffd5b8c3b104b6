'use client';

import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { describedBy, Field, inputLook } from '#components/ui/field.tsx';
import type { ReleaseOffer, ReleaseStepData } from '#lib/console/host.ts';
import type { Values } from '#lib/console/wizard/index.ts';
import { useFieldError } from '../step/server-errors.ts';
import { useRegister } from '../step/use-register.ts';
import { type Choice, Choices } from './choices.tsx';
import { OwnResources } from './own-resources.tsx';

/** Which release, from where, and whether the network may be used. */
export function ReleaseFields({
  data,
  saved,
  accepted,
  brings,
}: {
  data: ReleaseStepData;
  saved: Values;
  /** The release that was taken as proposed, without a choice by the user. */
  accepted: string | null;
  /** `custom-resources`: for an installation, which also asks what the operator sets up. */
  brings: 'custom-resources' | 'release-only';
}) {
  const { control, setValue } = useFormContext<Values>();
  const chosen = saved.release || accepted || '';
  useEffect(() => {
    if ((saved.release ?? '') === '' && accepted !== null) setValue('release', accepted);
  }, [saved.release, accepted, setValue]);
  const [from = saved.from, airGapped = saved.airGapped] = useWatch({ control, name: ['from', 'airGapped'] });
  return (
    <div className="grid grid-cols-1 gap-6">
      <Releases offers={data.offers} chosen={chosen} />
      <Origin unnamed={data.unnamed} from={from} saved={saved} />
      <Network needs={data.needs} from={from} airGapped={airGapped} chosen={saved.airGapped} />
      {brings === 'custom-resources' && <OwnResources saved={saved.customResources ?? ''} />}
    </div>
  );
}

/** Where files come from when nothing is named. */
const unnamedSource = {
  public: {
    title: 'Calico’s public address',
    text: 'raw.githubusercontent.com, by the proxy that the environment of the console names. Files of known releases must be the published ones, by their checksums.',
  },
  sandbox: {
    title: 'The sandbox itself',
    text: 'A sandbox makes small files of its releases itself; nothing is downloaded. For your own clusters this is Calico’s public address.',
  },
} as const;

function Releases({ offers, chosen }: { offers: readonly ReleaseOffer[]; chosen: string }) {
  const atHand = offers.filter(({ standing }) => standing !== 'other');
  const others = offers.filter((offer) => !atHand.includes(offer));
  const isKnown = offers.some(({ version }) => version === chosen);
  const isOther = !isKnown || others.some(({ version }) => version === chosen);
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">Release</h2>
      <Choices name="release" legend="Release" chosen={chosen} choices={atHand.map(choiceOf)} />
      <Disclosure summary="Another release" open={isOther}>
        <p className="mb-2 max-w-[56ch] text-sm text-ink-2">
          These are the ones whose operator is known here. What is known to go wrong with one stands with it; nothing is
          known of the others, which is not a promise.
        </p>
        <Choices
          name="release"
          id="release-other"
          legend="Another release"
          chosen={chosen}
          columns="two"
          choices={[...(isKnown ? [] : [unknownChoice(chosen)]), ...others.map(choiceOf)]}
        />
      </Disclosure>
    </section>
  );
}

function choiceOf({ version, operator, standing, because, advice }: ReleaseOffer): Choice {
  return {
    value: version,
    title: version,
    text: (
      <>
        Operator {operator}.{standing === 'proposed' ? '' : ` ${because}`}
        {advice.map(({ gate, action, condition, advice: what }) => (
          <span key={gate} className="mt-1 block">
            <a href={`/reference/gates#${gate}`} className={`underline ${action === 'block' ? 'text-red' : ''}`}>
              {gate}
            </a>
            : {condition}. {what}
          </span>
        ))}
      </>
    ),
    proposed: standing === 'proposed' ? because : null,
    because: null,
  };
}

function unknownChoice(version: string): Choice {
  return {
    value: version,
    title: version === '' ? 'None' : version,
    text: 'Not in Signalbox’s tables: neither this release nor its operator is known.',
    proposed: null,
    because: null,
  };
}

function Origin({
  unnamed,
  from,
  saved,
}: {
  unnamed: keyof typeof unnamedSource;
  from: string | undefined;
  saved: Values;
}) {
  const register = useRegister();
  const errors = { mirror: useFieldError('mirror'), files: useFieldError('files') };
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">Where its files come from</h2>
      <Choices
        name="from"
        legend="Where its files come from"
        chosen={saved.from}
        choices={[
          { value: 'public', ...unnamedSource[unnamed], proposed: null, because: null },
          {
            value: 'mirror',
            title: 'A mirror',
            text: 'Your own address, with the files below it as published.',
            proposed: null,
            because: null,
          },
          {
            value: 'files',
            title: 'A folder or bundle on this machine',
            text: 'A folder, a release-<version>.tgz, or the bundle for OpenShift. No network is used.',
            proposed: null,
            because: null,
          },
        ]}
      />
      <div className={from === 'mirror' ? '' : 'hidden'}>
        <Field id="mirror" label="Address of the mirror" error={errors.mirror}>
          <input
            id="mirror"
            type="url"
            className={`${inputLook} font-mono`}
            autoComplete="off"
            spellCheck={false}
            placeholder="https://mirror.example.com/calico"
            defaultValue={saved.mirror}
            {...register('mirror')}
            {...describedBy('mirror', { error: errors.mirror })}
          />
        </Field>
      </div>
      <div className={from === 'files' ? '' : 'hidden'}>
        <Field
          id="files"
          label="Folder or bundle"
          hint="A path on the machine that the console runs on."
          error={errors.files}
        >
          <input
            id="files"
            className={`${inputLook} font-mono`}
            autoComplete="off"
            spellCheck={false}
            placeholder="/srv/calico"
            defaultValue={saved.files}
            {...register('files')}
            {...describedBy('files', { hint: 'path', error: errors.files })}
          />
        </Field>
      </div>
    </section>
  );
}

function Network({
  needs,
  from,
  airGapped,
  chosen,
}: {
  needs: readonly string[];
  from: string | undefined;
  airGapped: string | undefined;
  chosen: string | undefined;
}) {
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">May this machine use the network for the files?</h2>
      <Choices
        name="airGapped"
        legend="May this machine use the network for the files?"
        chosen={chosen}
        columns="two"
        choices={[
          { value: 'no', title: 'Yes', text: 'Only the address above is used.', proposed: null, because: null },
          {
            value: 'yes',
            title: 'No, it is air-gapped',
            text: 'No network is used: only a folder, a bundle, or earlier downloads.',
            proposed: null,
            because: null,
          },
        ]}
      />
      {airGapped === 'yes' && (
        <div className="rounded-md border border-line bg-sheet px-4 py-3 text-sm" role="status">
          <p className="font-[560]">
            {from === 'files'
              ? 'The folder or bundle must hold'
              : 'Bring these files to this machine, and name their folder'}
          </p>
          <ul className="mt-1 list-disc pl-5">
            {needs.map((file) => (
              <li key={file}>
                <code className="[overflow-wrap:anywhere]">{file}</code>
              </li>
            ))}
          </ul>
          <p className="mt-1 text-ink-2">
            As published with the release. The images are another matter: the list below, once the files are here, says
            which a mirror of images must hold.
          </p>
        </div>
      )}
    </section>
  );
}
