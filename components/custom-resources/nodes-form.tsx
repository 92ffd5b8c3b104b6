'use client';

import { useId } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { inputLook } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { valueAt } from '#lib/base/records.ts';
import type { Path } from '#lib/installation/in-browser.ts';
import { methodOf, methods } from './autodetection.ts';
import { cniChoices, withCni } from './cni-choice.ts';
import { textAt, withValue } from './edit-spec.ts';
import { useSpecEditing, useSpecField } from './spec-editing.tsx';
import { LabelledField, SpecSelect, SpecText } from './spec-fields.tsx';

const hostPorts = [
  { value: '', title: 'As the operator decides: on' },
  { value: 'Enabled', title: 'On' },
  { value: 'Disabled', title: 'Off' },
];

/** Fields for address autodetection and the agents' handling of packets. */
export function NodesForm() {
  const { spec } = useSpecEditing();
  const pools = valueAt(spec, ['calicoNetwork', 'ipPools']);
  const count = Array.isArray(pools) ? pools.length : 0;
  const hasV6 = Array.from({ length: count }, (_, index) =>
    textAt(spec, ['calicoNetwork', 'ipPools', index, 'cidr']),
  ).some((cidr) => cidr.includes(':'));
  const cnis = cniChoices(spec);
  const v6: Path = ['calicoNetwork', 'nodeAddressAutodetectionV6'];
  return (
    <Panel title="Nodes and packets">
      <div className="grid grid-cols-1 gap-4 px-4 py-3">
        {cnis.length > 0 && (
          <SpecSelect path={['cni', 'type']} label="Who connects the pods" choices={cnis} choose={withCni} />
        )}
        <Autodetection
          path={['calicoNetwork', 'nodeAddressAutodetectionV4']}
          label="How an agent finds the IPv4 address of its node"
          unset="As the operator decides"
        />
        {(hasV6 || valueAt(spec, v6) !== undefined) && (
          <Autodetection path={v6} label="How an agent finds the IPv6 address of its node" unset="None" />
        )}
        <div className="grid grid-cols-1 gap-x-3 gap-y-4 min-[480px]:grid-cols-2">
          <SpecText
            path={['calicoNetwork', 'mtu']}
            label="MTU"
            kind="number"
            placeholder="as found on each node"
            hint="Largest packet between pods, in bytes. Left empty, each agent takes it from its node."
          />
          <SpecSelect
            path={['calicoNetwork', 'hostPorts']}
            label="Host ports"
            choices={hostPorts}
            hint="Enabled: a pod’s hostPort is reached at its node’s address."
          />
        </div>
      </div>
    </Panel>
  );
}

function Autodetection({ path, label, unset }: { path: Path; label: string; unset: string }) {
  const takeOver = useTakeOver();
  const { spec, change } = useSpecEditing();
  const field = useSpecField(path);
  const found = valueAt(spec, path);
  const chosen = methodOf(found);
  const argument = useId();
  const asks = chosen?.method.asks ?? null;
  const choose = (id: string) => {
    const method = methods.find((one) => one.id === id);
    // Keeps the typed parameter when the method changes.
    change(withValue(spec, path, method?.write(chosen?.text ?? '')));
  };
  return (
    <div className="grid grid-cols-1 gap-2">
      <LabelledField label={label} field={field}>
        {(described) => (
          <select
            id={field.id}
            className={inputLook}
            ref={takeOver}
            value={chosen?.method.id ?? (found === undefined ? '' : 'other')}
            onChange={({ target: { value } }) => choose(value)}
            {...described}
          >
            <option value="">{unset}</option>
            {methods.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
            {found !== undefined && chosen === null && <option value="other">As in the YAML</option>}
          </select>
        )}
      </LabelledField>
      {asks !== null && chosen !== null && (
        <div>
          <label htmlFor={argument} className="mb-1 block text-sm font-[560]">
            {asks.label}
          </label>
          <input
            id={argument}
            className={`${inputLook} font-mono`}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${argument}-hint`}
            ref={takeOver}
            defaultValue={chosen.text}
            key={chosen.method.id}
            onChange={({ target: { value } }) => change(withValue(spec, path, chosen.method.write(value)))}
          />
          <p id={`${argument}-hint`} className="mt-1 text-sm text-ink-2">
            {asks.hint}
          </p>
        </div>
      )}
    </div>
  );
}
