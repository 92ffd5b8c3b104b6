'use client';

import { type ClipboardEvent, useId } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { describedBy, Field, inputLook } from '#components/ui/field.tsx';
import { type EndpointProposal, splitAddress, type Values } from '#lib/console/wizard/index.ts';
import { useFieldError } from '../step/server-errors.ts';
import { useRegister } from '../step/use-register.ts';
import { Choices } from './choices.tsx';
import { ProposedAddress } from './proposed-address.tsx';

/** The proposed address, to take or to overrule: two fields, as an API server's address is never one word. */
export function EndpointFields({ proposal, saved }: { proposal: EndpointProposal; saved: Values }) {
  const { setValue, control } = useFormContext<Values>();
  const register = useRegister();
  const [host = '', port = '', by = saved.by] = useWatch({ control, name: ['host', 'port', 'by'] });
  const { automatic } = proposal;
  const errors = { host: useFieldError('host'), port: useFieldError('port') };
  const hint = useId();
  const use = (address: { host: string; port: string }) => {
    const how = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const;
    setValue('host', address.host, how);
    setValue('port', address.port, how);
  };
  /** Host and port each in its field, where both were given at once; false where there is nothing to take apart. */
  const takeApart = (text: string): boolean => {
    const address = splitAddress(text);
    if (address === null) return false;
    use({ host: address.host, port: address.port === '' ? port : address.port });
    return true;
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    if (takeApart(event.clipboardData.getData('text'))) event.preventDefault();
  };
  const hostField = register('host', { onBlur: (event) => takeApart(event.target.value) });
  return (
    <div className="grid grid-cols-1 gap-5">
      {automatic === null ? (
        <input type="hidden" name="by" value="address" />
      ) : (
        <Ways cannot={automatic.cannot} chosen={saved.by} />
      )}
      {by === 'operator' ? (
        <>
          <input type="hidden" name="host" value="" />
          <input type="hidden" name="port" value="" />
        </>
      ) : (
        <>
          <ProposedAddress proposal={proposal} typed={{ host, port }} use={use} />
          <fieldset className="grid grid-cols-1 gap-x-3 gap-y-2 min-[400px]:grid-cols-[minmax(0,1fr)_7rem]">
            <legend className="sr-only">Address of the API server</legend>
            <Field id="host" label="Host name or IP address" error={errors.host}>
              <input
                id="host"
                className={`${inputLook} font-mono`}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                defaultValue={saved.host}
                {...hostField}
                onPaste={onPaste}
                {...described('host', hint, errors.host)}
              />
            </Field>
            <Field id="port" label="Port" error={errors.port}>
              <input
                id="port"
                className={`${inputLook} font-mono`}
                inputMode="numeric"
                autoComplete="off"
                defaultValue={saved.port}
                {...register('port')}
                {...described('port', hint, errors.port)}
              />
            </Field>
            <p id={hint} className="text-sm min-[400px]:col-span-2 text-ink-2">
              {hintOf(proposal)}
            </p>
          </fieldset>
        </>
      )}
    </div>
  );
}

/** A new installation may leave it to the operator, where its conditions hold. */
function Ways({ cannot, chosen }: { cannot: string | null; chosen: string | undefined }) {
  return (
    <Choices
      name="by"
      legend="How Calico finds the API servers"
      chosen={chosen}
      choices={[
        {
          value: 'address',
          title: 'By an address that you name',
          text: 'The service proxy is turned off last, after every node is proven.',
          proposed: 'Nothing pauses on the way.',
          because: null,
        },
        {
          value: 'operator',
          title: 'Automatic: the operator finds them',
          text: 'No address is needed, and the operator turns the service proxy off. It does so before the first agent runs: Services pause for as long as images pull, on every node at once.',
          proposed: null,
          because: cannot,
        },
      ]}
    />
  );
}

function hintOf({ configured, suggested }: EndpointProposal): string {
  if (configured !== null)
    return `Left empty, the address stays the one in ${configured.namespace}: ${configured.host}:${configured.port}.`;
  if (suggested?.isAccepted) return 'Left empty, the proposed address is used. A whole URL may be given.';
  return 'Best is the load balancer or DNS name in front of the API servers. A whole URL may be given.';
}

function described(id: string, hint: string, error: string | undefined) {
  const { 'aria-describedby': own, ...rest } = describedBy(id, { error });
  return { ...rest, 'aria-describedby': [own, hint].filter(Boolean).join(' ') };
}
