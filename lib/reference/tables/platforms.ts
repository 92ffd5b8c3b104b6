import {
  clouds,
  endpointSources,
  isUnknown,
  type Known,
  type OtherNetwork,
  otherNetworks,
  type PlatformGuide,
  platformGuides,
  platformSigns,
  platforms,
} from '#lib/spec/index.ts';
import { code } from '../markdown.ts';
import type { ReferenceRecord, ReferenceTable } from '../reference-table.ts';
import { signText } from '../sign-text.ts';

export function platformTable(): ReferenceTable {
  return { kind: 'records', title: 'Platforms', intro: '', records: platformGuides.map(record) };
}

const states = { supported: 'ok', 'supported with limits': 'warn', 'not supported': 'bad' } as const;

function record(row: PlatformGuide): ReferenceRecord {
  const { id, title, endpoint, proxy, cni, notes, source, read } = row;
  return {
    id,
    title,
    state: states[row.ebpf],
    facts: [
      { label: 'eBPF mode', text: `${row.ebpf}. ${row.because}` },
      { label: 'Recognised by, strongest first', text: `${recognisedBy(row)}.` },
      { label: 'This row', text: row.tell },
      { label: 'API endpoint', text: `${endpoint.host}, port ${endpoint.port}. ${endpoint.stable}` },
      { label: 'Read from, best first', text: `${platforms[row.kind].endpoint.map(placeOf).join('; ')}.` },
      { label: 'Service proxy', text: `${proxy.runsAs}.` },
      { label: 'To turn it off', text: proxy.off },
      { label: 'FlexVolume path', text: path(row.flexVolumePath) },
      { label: 'CNI', text: `plugins in ${code(cni.bin)}, configuration in ${code(cni.conf)}` },
      { label: 'cgroup path', text: path(row.cgroupPath) },
      { label: 'Provider', text: providerText(row) },
      { label: 'DNS for a name as endpoint', text: row.dns },
      ...notes.map((note) => ({ label: null, text: `${note.text} (${note.source})` })),
    ],
    commands: { when: 'When the cluster is made', texts: row.createFlags },
    source,
    read,
  };
}

export function providerText({ provider }: PlatformGuide): string {
  return provider.by === 'none' ? 'none' : `${code(provider.value)}, ${provider.by}`;
}

export function signTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'How platforms are recognised',
    intro: 'The first row that is seen decides.',
    columns: ['Sign', 'Platform'],
    rows: platformSigns.map(({ sign, platform, source, read }, at) => ({
      id: `sign-${at + 1}`,
      cells: [signText(sign), platforms[platform].title],
      source,
      read,
    })),
  };
}

export function endpointTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Where the API endpoint is read',
    intro: '',
    columns: ['Place', 'Doubt'],
    rows: endpointSources.map(({ id, where, doubt, source, read }) => ({ id, cells: [where, doubt], source, read })),
  };
}

export function cloudTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Clouds',
    intro: "What a node's providerID begins with, and the DNS server that does not need the cluster's network.",
    columns: ['providerID', 'Cloud', 'DNS server'],
    rows: clouds.map(({ providerID, title, nameserver, source, read }) => ({
      id: providerID,
      cells: [code(providerID), title, nameserver === null ? { unknown: 'a resolver of the site' } : code(nameserver)],
      source,
      read,
    })),
  };
}

export function otherNetworkTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Other networks',
    intro:
      'Products that work on the traffic of pods themselves: what is looked for before an installation is offered, and before the switch.',
    columns: ['Product', 'DaemonSets', 'Beside Calico', 'Serves Services'],
    rows: otherNetworks.map(({ product, daemonSets, namespace, besides, serves, source, read }) => ({
      id: product,
      cells: [
        product,
        `${daemonSets.map(code).join(', ')}${namespace === undefined ? '' : ` in ${code(namespace)}`}`,
        besides === null ? 'no: only one of the two' : `for policy, with ${code(`cni.type: ${besides}`)}`,
        servesText(serves),
      ],
      source,
      read,
    })),
  };
}

function servesText(serves: OtherNetwork['serves']): Known<string> {
  if (serves === null) return { unknown: 'not looked into' };
  return serves === 'set' ? 'as its own settings say' : serves ? 'yes' : 'no';
}

function recognisedBy({ kind }: PlatformGuide): string {
  const signs = platformSigns.filter(({ platform }) => platform === kind).map(({ sign }) => signText(sign));
  return signs.length === 0 ? 'nothing of its own' : signs.join('; ');
}

/** A path with words around it stays as it is. */
function path(text: Known<string>): Known<string> {
  return !isUnknown(text) && /^\/\S+$/.test(text) ? code(text) : text;
}

function placeOf(id: string): string {
  return endpointSources.find((row) => row.id === id)?.where ?? id;
}
