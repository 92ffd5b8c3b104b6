import { distributionFloors, distributionRules, immutableSystems, kernelRules } from '#lib/spec/index.ts';
import { blocks, code, known, table } from './markdown.ts';

const families = { rhel: 'the RHEL family', any: 'every other system' } as const;

export function kernelsPage(): string {
  return blocks(
    'The agent falls back to the standard data plane, node by node and without saying so, where the kernel is too old: these rules come before anything else.',
    '## Kernels',
    table(
      ['System', 'Kernel from', 'Source', 'Read'],
      kernelRules.map(({ family, floor, source, read }) => [families[family], code(floor), source, read]),
    ),
    '## Distributions',
    'Every other distribution has the rule of its kernel alone.',
    table(
      ['Distribution', 'Release from', 'Except', 'Source', 'Read'],
      distributionFloors.map(({ name, floor, except, source, read }) => [
        name,
        floor,
        except ? `${except.release} on ${except.platform}` : '',
        source,
        read,
      ]),
    ),
    '## Immutable systems',
    'Their /usr cannot be written. `cgroupV2Path` is a field of FelixConfiguration, from v3.30.4 and v3.31.0 on; `flexVolumePath` one of the Installation.',
    table(
      ['System', 'cgroupV2Path', 'flexVolumePath', 'Source', 'Read'],
      immutableSystems.map((row) => [
        row.title,
        known(row.cgroupV2Path, (text) => text),
        known(row.flexVolumePath, (text) => text),
        row.source,
        row.read,
      ]),
    ),
    '## How a system is recognised',
    "By a node's osImage; the first row that matches decides.",
    table(
      ['System', 'Family', 'Immutable', 'osImage matches', 'Read'],
      distributionRules.map(({ id, family, immutable, pattern, read }) => [
        id,
        family,
        immutable ? 'yes' : '',
        code(pattern.source),
        read,
      ]),
    ),
  );
}
