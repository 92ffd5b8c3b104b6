'use client';

import { Button } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { valueAt } from '#lib/base/records.ts';
import type { Path } from '#lib/installation/in-browser.ts';
import { type Spec, textAt, withValue } from './edit-spec.ts';
import { poolWords } from './pool-words.ts';
import { fieldId, useSpecEditing, useSpecField } from './spec-editing.tsx';
import { FieldWarning, Proposed, SpecSelect, SpecText } from './spec-fields.tsx';

const poolsPath: Path = ['calicoNetwork', 'ipPools'];

const encapsulations = [
  { value: '', title: 'As the operator decides' },
  { value: 'VXLANCrossSubnet', title: 'VXLAN between subnets' },
  { value: 'VXLAN', title: 'VXLAN always' },
  { value: 'None', title: 'None' },
  { value: 'IPIPCrossSubnet', title: 'IPIP between subnets' },
  { value: 'IPIP', title: 'IPIP always' },
];

const nat = [
  { value: '', title: 'As the operator decides' },
  { value: 'Enabled', title: 'Behind the node’s address' },
  { value: 'Disabled', title: 'With the pod’s own address' },
];

/** The form for IP pools. */
export function PoolsForm({ nodeCount }: { nodeCount: number | undefined }) {
  const { spec, change } = useSpecEditing();
  const { because, error, warning } = useSpecField(poolsPath);
  const found = valueAt(spec, poolsPath);
  const pools: readonly unknown[] = Array.isArray(found) ? found : [];
  const add = (family: 'IPv4' | 'IPv6') => change(withPool(spec, pools, family));
  const hasV6 = pools.some((_pool, index) => textAt(spec, [...poolsPath, index, 'cidr']).includes(':'));
  return (
    <Panel title="Addresses of pods">
      <div id={fieldId(poolsPath)} tabIndex={-1} className="px-4 pt-3">
        {error !== undefined && <p className="text-sm font-[560] text-red">{error}</p>}
        {warning !== undefined && <FieldWarning>{warning}</FieldWarning>}
        {because !== undefined && <Proposed>{because}</Proposed>}
        {pools.length === 0 && error === undefined && warning === undefined && (
          <p className="text-sm text-ink-2">
            {found === undefined
              ? 'No pool is set. If Calico assigns pod addresses, the operator creates one with its defaults.'
              : 'The list is empty: the operator creates no pool.'}
          </p>
        )}
      </div>
      {pools.map((_pool, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pool is where it stands; its name may be typed just now
        <PoolCard key={index} index={index} nodeCount={nodeCount} />
      ))}
      <div className="flex flex-wrap gap-2 px-4 py-3">
        <Button onClick={() => add('IPv4')}>Add a pool</Button>
        {!hasV6 && <Button onClick={() => add('IPv6')}>Add an IPv6 pool</Button>}
      </div>
    </Panel>
  );
}

function PoolCard({ index, nodeCount }: { index: number; nodeCount: number | undefined }) {
  const { spec, change } = useSpecEditing();
  const at = (key: string): Path => [...poolsPath, index, key];
  const name = textAt(spec, at('name'));
  const cidr = textAt(spec, at('cidr'));
  const title = name || cidr || `Pool ${index + 1}`;
  const words = poolWords(cidr, textAt(spec, at('blockSize')), nodeCount);
  return (
    <fieldset className="min-w-0 border-b border-line px-4 py-3">
      <legend className="sr-only">Pool {title}</legend>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <code aria-hidden="true" className="font-semibold [overflow-wrap:anywhere]">
          {title}
        </code>
        <Button kind="quiet" onClick={() => change(withValue(spec, [...poolsPath, index], undefined))}>
          Remove<span className="sr-only"> pool {title}</span>
        </Button>
      </div>
      <div className="grid grid-cols-1 gap-x-3 gap-y-3 min-[480px]:grid-cols-2">
        <SpecText path={at('cidr')} label="CIDR" placeholder="10.48.0.0/16" hint={words ?? undefined} />
        <SpecSelect path={at('encapsulation')} label="Encapsulation" choices={encapsulations} />
        <SpecText
          path={at('blockSize')}
          label="Block size"
          kind="number"
          placeholder={cidr.includes(':') ? '122' : '26'}
          hint="Prefix length of the address block that a node takes at a time. It cannot be changed later."
        />
        <SpecSelect path={at('natOutgoing')} label="Pods reach the outside" choices={nat} />
        <SpecText
          path={at('nodeSelector')}
          label="On which nodes"
          placeholder="all()"
          hint="A selector of node labels, such as zone == 'a'."
          wide
        />
      </div>
    </fieldset>
  );
}

/** Adds a pool with a unique name. An IPv6 pool with eBPF also needs address autodetection (calico.md §13 no. 8). */
function withPool(spec: Spec, pools: readonly unknown[], family: 'IPv4' | 'IPv6'): Spec {
  const names = new Set(pools.map((_pool, index) => textAt(spec, [...poolsPath, index, 'name'])));
  const base = family === 'IPv4' ? 'default-ipv4-ippool' : 'default-ipv6-ippool';
  const name = [base, ...pools.map((_pool, index) => `${base}-${index + 1}`)].find((one) => !names.has(one)) ?? base;
  const pool = {
    name,
    cidr: '',
    encapsulation: textAt(spec, [...poolsPath, 0, 'encapsulation']).startsWith('VXLAN')
      ? textAt(spec, [...poolsPath, 0, 'encapsulation'])
      : 'VXLANCrossSubnet',
    natOutgoing: 'Enabled',
    nodeSelector: 'all()',
    blockSize: family === 'IPv4' ? 26 : 122,
  };
  const added = withValue(spec, poolsPath, [...pools, pool]);
  const method: Path = ['calicoNetwork', 'nodeAddressAutodetectionV6'];
  return family === 'IPv4' || valueAt(added, method) !== undefined
    ? added
    : withValue(added, method, { kubernetes: 'NodeInternalIP' });
}
