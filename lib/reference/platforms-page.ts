import {
  clouds,
  endpointSources,
  type PlatformGuide,
  platformGuides,
  platformSigns,
  platforms,
} from '#lib/spec/index.ts';
import { blocks, bullets, code, fenced, known, sourceLine, table } from './markdown.ts';
import { signText } from './sign-text.ts';

export function platformsPage(): string {
  return blocks(
    'How a platform is recognised, where its API server is reached, and what becomes of its service proxy.',
    table(
      ['Platform', 'eBPF mode', 'API endpoint', 'Provider'],
      platformGuides.map(({ title, ebpf, endpoint, provider }) => [
        title,
        ebpf,
        `${endpoint.host}, port ${endpoint.port}`,
        provider.by === 'none' ? 'none' : `${code(provider.value)}, ${provider.by}`,
      ]),
    ),
    ...platformGuides.map(guide),
    '## How platforms are recognised',
    'The first row that is seen decides.',
    table(
      ['Sign', 'Platform', 'Source', 'Read'],
      platformSigns.map(({ sign, platform, source, read }) => [
        signText(sign),
        platforms[platform].title,
        source,
        read,
      ]),
    ),
    '## Where the API endpoint is read',
    table(
      ['Place', 'Doubt', 'Source', 'Read'],
      endpointSources.map(({ where, doubt, source, read }) => [where, doubt, source, read]),
    ),
    '## Clouds',
    "What a node's providerID begins with, and the DNS server that does not need the cluster's network.",
    table(
      ['providerID', 'Cloud', 'DNS server', 'Source', 'Read'],
      clouds.map(({ providerID, title, nameserver, source, read }) => [
        code(providerID),
        title,
        nameserver === null ? '*unknown*: a resolver of the site' : code(nameserver),
        source,
        read,
      ]),
    ),
  );
}

function guide(row: PlatformGuide): string {
  const { endpoint, proxy, cni } = row;
  return blocks(
    `## ${row.title}`,
    bullets([
      `eBPF mode: ${row.ebpf}. ${row.because}`,
      `Recognised by, strongest first: ${recognisedBy(row)}.`,
      `This row: ${row.tell}`,
      `API endpoint: ${endpoint.host}, port ${endpoint.port}. ${endpoint.stable}`,
      `Read from, best first: ${platforms[row.kind].endpoint.map(placeOf).join('; ')}.`,
      `Service proxy: ${proxy.runsAs}.`,
      `To turn it off: ${proxy.off}`,
      `FlexVolume path: ${known(row.flexVolumePath, path)}`,
      `CNI: plugins in ${code(cni.bin)}, configuration in ${code(cni.conf)}`,
      `cgroup path: ${known(row.cgroupPath, path)}`,
      `Provider: ${row.provider.by === 'none' ? 'none' : `${code(row.provider.value)}, ${row.provider.by}`}`,
      `DNS for a name as endpoint: ${known(row.dns, (text) => text)}`,
      ...row.notes.map(({ text, source }) => `${text} (${source})`),
    ]),
    flags(row),
    sourceLine(row),
  );
}

function recognisedBy({ kind }: PlatformGuide): string {
  const signs = platformSigns.filter(({ platform }) => platform === kind).map(({ sign }) => signText(sign));
  return signs.length === 0 ? 'nothing of its own' : signs.join('; ');
}

function flags({ createFlags }: PlatformGuide): string {
  return known(createFlags, (texts) =>
    texts.length === 0
      ? 'When the cluster is made: nothing.'
      : blocks('When the cluster is made:', ...texts.map(fenced)),
  ).replace(/^\*unknown\*/, 'When the cluster is made: *unknown*');
}

/** A path with words around it stays as it is. */
function path(text: string): string {
  return /^\/\S+$/.test(text) ? code(text) : text;
}

function placeOf(id: string): string {
  return endpointSources.find((row) => row.id === id)?.where ?? id;
}
