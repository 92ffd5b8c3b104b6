/**
 * Felix's own check of kernels for eBPF, not the product's rule (calico.md §10, felix/bpf/bpf.go). Felix looks at the text of /proc/version, which
 * the API shows as a node's kernelVersion and osImage.
 */
const floors: readonly { matches: RegExp; floor: readonly number[] }[] = [
  { matches: /red hat|el\d+_\d+/i, floor: [4, 18, 0, 193] },
  { matches: /ubuntu/i, floor: [5, 3, 0] },
  { matches: /./, floor: [5, 3, 0] },
];

export function felixAcceptsKernel(kernelVersion: string, osImage: string): boolean {
  const words = `${kernelVersion} ${osImage}`;
  const rule = floors.find(({ matches }) => matches.test(words));
  return rule === undefined || atLeast(numbersOf(kernelVersion), rule.floor);
}

/** `4.18.0-193.el8` → 4, 18, 0, 193. */
function numbersOf(kernelVersion: string): number[] {
  const [, version = '0', build] = /^(\d+(?:\.\d+)*)(?:-(\d+))?/.exec(kernelVersion) ?? [];
  const numbers = version.split('.').map(Number);
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0, Number(build ?? 0)];
}

function atLeast(version: readonly number[], floor: readonly number[]): boolean {
  for (const [index, wanted] of floor.entries()) {
    const given = version[index] ?? 0;
    if (given !== wanted) return given > wanted;
  }
  return true;
}
